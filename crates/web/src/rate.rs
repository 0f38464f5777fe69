//! Bounds on how fast anybody may ask.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A bucket that fills at a steady rate and is emptied request by request.
#[derive(Clone, Debug)]
pub struct Bucket {
    per_second: f64,
    most: f64,
    level: f64,
    seen: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(per_second: f64, most: f64) -> Bucket {
        Bucket { per_second, most, level: most, seen: Instant::now() }
    }

    /// Whether one more request is allowed now.
    pub fn take(&mut self) -> bool {
        let now = Instant::now();
        self.level = (self.level + self.per_second * (now - self.seen).as_secs_f64()).min(self.most);
        self.seen = now;
        let allowed = self.level >= 1.0;
        if allowed {
            self.level -= 1.0;
        }
        allowed
    }

    fn is_full(&self) -> bool {
        self.level + self.per_second * self.seen.elapsed().as_secs_f64() >= self.most
    }
}

/// A bucket for every address.
#[derive(Debug)]
pub struct Rates {
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
    per_second: f64,
    most: f64,
}

/// Addresses remembered before those with full buckets are forgotten.
const MOST_ADDRESSES: usize = 1024;

impl Rates {
    /// Every address may ask so often a second, and so many times at once.
    pub fn new(per_second: f64, most: f64) -> Rates {
        Rates { buckets: Mutex::default(), per_second, most }
    }

    /// Whether an address may ask once more.
    pub fn take(&self, address: IpAddr) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ADDRESSES {
            buckets.retain(|_, bucket| !bucket.is_full());
        }
        buckets.entry(address).or_insert_with(|| Bucket::new(self.per_second, self.most)).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_runs_dry() {
        let mut bucket = Bucket::new(0.0, 3.0);
        assert_eq!([(); 4].map(|()| bucket.take()), [true, true, true, false]);
    }
}
