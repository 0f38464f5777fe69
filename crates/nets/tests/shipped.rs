//! The shipped nets are those of their cards.

use fivestone_game::{Rule, Size};
use fivestone_nets::Net;
use fivestone_nets::policy::PolicyNet;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// What a card says that the net itself can confirm.
#[derive(Deserialize)]
struct Card {
    file: String,
    sha256: String,
    rule: String,
    sides: Vec<usize>,
}

#[derive(Deserialize)]
struct Cards {
    net: Vec<Card>,
}

fn cards(text: &str) -> Vec<Card> {
    toml::from_str::<Cards>(text).unwrap().net
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_flagship_net_is_the_one_on_its_card() {
    let files = [
        ("nets/freestyle.fsnet", fivestone_shipped::FREESTYLE),
        ("nets/standard.fsnet", fivestone_shipped::STANDARD),
        ("nets/renju.fsnet", fivestone_shipped::RENJU),
    ];
    let cards = cards(fivestone_shipped::CARDS);
    assert_eq!(cards.len(), files.len());
    for (card, (file, bytes)) in cards.iter().zip(files) {
        assert_eq!((card.file.as_str(), &card.sha256), (file, &hash(bytes)));
        let net = Net::from_bytes(bytes).unwrap();
        assert_eq!(net.rule, card.rule.parse::<Rule>().unwrap());
        assert_eq!(card.sides, [15, 20]);
        for side in 15..=20 {
            let size = Size::new(side).unwrap();
            assert!(net.check(net.rule, size).is_ok(), "{file} {side}: {}", net.description);
        }
    }
}

#[test]
fn every_move_predictor_is_the_one_on_its_card() {
    let files = [
        ("nets/muzika.fspolicy", fivestone_shipped_policies::MUZIKA),
        ("nets/lines.fspolicy", fivestone_shipped_policies::LINES),
    ];
    let cards = cards(fivestone_shipped_policies::CARDS);
    assert_eq!(cards.len(), files.len());
    for (card, (file, bytes)) in cards.iter().zip(files) {
        assert_eq!((card.file.as_str(), &card.sha256), (file, &hash(bytes)));
        assert_eq!(PolicyNet::from_bytes(bytes).unwrap().to_bytes(), bytes);
        assert!(card.rule.parse::<Rule>().is_ok());
        assert_eq!(card.sides, [15]);
    }
}
