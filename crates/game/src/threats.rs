//! The empty cells of each threatening class, per colour. Weaker classes change with nearly every stone and are asked
//! for seldom: they are counted on demand.

use crate::Color;
use crate::bits::PointSet;
use crate::lines::Class;
use crate::point::GRID;

/// The cells where something threatens, by colour and class.
#[derive(Clone)]
pub(crate) struct Threats {
    /// The numbers of the classes a cell was last said to have.
    classes: [[u8; 2]; GRID],
    /// Per colour and class. Only those of the threatening classes are true: cells come and go between the others
    /// unsaid.
    sets: [[PointSet; Class::COUNT]; 2],
    counts: [[u16; Class::COUNT]; 2],
}

impl Threats {
    pub const NONE: Threats = Threats {
        classes: [[0; 2]; GRID],
        sets: [[PointSet::EMPTY; Class::COUNT]; 2],
        counts: [[0; Class::COUNT]; 2],
    };

    /// The cells of a threatening class.
    pub fn set(&self, color: Color, class: Class) -> &PointSet {
        debug_assert!(class.is_threat());
        &self.sets[color.index()][class.index()]
    }

    /// How many cells the set has.
    pub fn count(&self, color: Color, class: Class) -> usize {
        debug_assert!(class.is_threat());
        self.counts[color.index()][class.index()].into()
    }

    /// Tells the numbers of the classes that a cell has now for Black and for White.
    #[inline(always)]
    pub fn update(&mut self, index: usize, classes: [u8; 2]) {
        let before = std::mem::replace(&mut self.classes[index], classes);
        for side in 0..2 {
            let old = usize::from(before[side]) % Class::COUNT;
            let new = usize::from(classes[side]) % Class::COUNT;
            if old != new {
                self.sets[side][old].flip(index);
                self.sets[side][new].flip(index);
                self.counts[side][old] = self.counts[side][old].wrapping_sub(1);
                self.counts[side][new] = self.counts[side][new].wrapping_add(1);
            }
        }
    }
}
