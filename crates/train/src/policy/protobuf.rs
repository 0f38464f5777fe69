//! Just enough of protocol buffers to write them.

/// A message in the making.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Message(Vec<u8>);

const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

impl Message {
    /// An empty message.
    pub fn new() -> Message {
        Message::default()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// Adds a whole number.
    pub fn number(mut self, field: u64, number: u64) -> Message {
        self.key(field, VARINT);
        self.varint(number);
        self
    }

    /// Adds a number of eight bytes.
    pub fn double(mut self, field: u64, number: f64) -> Message {
        self.key(field, EIGHT_BYTES);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Adds a number of four bytes.
    pub fn float(mut self, field: u64, number: f32) -> Message {
        self.key(field, FOUR_BYTES);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Adds bytes.
    pub fn raw(mut self, field: u64, bytes: &[u8]) -> Message {
        self.key(field, LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// Adds a text.
    pub fn text(self, field: u64, text: &str) -> Message {
        self.raw(field, text.as_bytes())
    }

    /// Adds a message.
    pub fn message(self, field: u64, message: &Message) -> Message {
        self.raw(field, &message.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_has_them() {
        let inner = Message::new().number(1, 150);
        assert_eq!(inner.bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::new().message(3, &inner).bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::new().text(2, "testing").bytes()[..3], [0x12, 0x07, b't']);
        assert_eq!(Message::new().float(1, 1.0).bytes(), [0x0d, 0, 0, 0x80, 0x3f]);
    }
}
