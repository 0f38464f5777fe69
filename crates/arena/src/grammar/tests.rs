use super::*;
use crate::openings::FileFormat;
use crate::spec::Source;
use crate::stats::Model;
use std::time::Duration;

fn parsed(line: &str) -> Result<Request, GrammarError> {
    parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

fn config(line: &str) -> MatchConfig {
    parsed(line).unwrap().config.unwrap()
}

#[test]
fn a_whole_line_is_read() {
    let config = config(
        "-engine name=mcts-basic visits=1000 c=1.5 -engine name=X cmd=/bin/cat args=-u option.hash=5 tc=60/5+0.1 \
         -each st=2 memory=100MB -rule 4 -boardsize 20 -rounds 50 -games 2 -repeat -concurrency 2 \
         -openings file=book.txt type=pos order=random srand=7 start=3 \
         -sprt elo0=-5 elo1=10 model=logistic -resign count=4 score=800 -draw number=40 count=6 score=10 \
         -pgnout g.pgn -sgf file=g.sgf -psq games -log l.jsonl -summary s.json -chart c.svg -srand 9 -recover",
    );
    let [first, second] = &config.engines[..] else { panic!("two engines") };
    assert_eq!((first.name.as_str(), first.visits), ("mcts-basic", Some(1000)));
    assert_eq!(first.source, Source::BuiltIn("mcts-basic".to_owned()));
    assert_eq!(first.options, [("c".to_owned(), "1.5".to_owned())]);
    assert_eq!(first.time.turn, Some(Duration::from_secs(2)));
    assert_eq!(second.time, "60/5+0.1".parse().unwrap(), "its own time control takes the place of st=2");
    assert_eq!(second.options, [("hash".to_owned(), "5".to_owned())]);
    let Source::Program(program) = &second.source else { panic!("a program") };
    assert_eq!((program.command.as_str(), &program.arguments[..]), ("/bin/cat", &["-u".to_owned()][..]));
    assert_eq!((first.memory, second.memory), (100 << 20, 100 << 20));
    assert_eq!((config.rule, config.size.side(), config.rounds), (Rule::Renju, 20, 50));
    let openings = config.openings.unwrap();
    assert_eq!(
        (openings.format, openings.random, openings.seed, openings.start),
        (FileFormat::Pos, true, 7, 2)
    );
    let sprt = config.sprt.unwrap();
    assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-5.0, 10.0, Model::Logistic));
    assert!((config.adjudication.resign.unwrap().winrate - 0.982).abs() < 0.001);
    assert_eq!(config.adjudication.draw.unwrap().after, 40);
    assert_eq!((config.concurrency, config.seed), (2, 9));
    assert_eq!(config.outputs.sgf, Some("g.sgf".into()));
}

#[test]
fn engines_of_one_name_are_told_apart() {
    let config = config("-engine name=a visits=1 -engine name=a visits=2 -engine name=a visits=3");
    let names: Vec<_> = config.engines.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["a", "a (2)", "a (3)"]);
    let labelled = parsed("-engine name=old engine=random visits=1 -engine name=random visits=1").unwrap();
    assert_eq!(labelled.config.unwrap().engines[0].source, Source::BuiltIn("random".to_owned()));
}

#[test]
fn a_journal_alone_is_a_request_to_resume() {
    let request = parsed("-config file=m.jsonl -concurrency 3").unwrap();
    assert_eq!((request.config, request.concurrency), (None, Some(3)));
    assert_eq!(request.journal, Some("m.jsonl".into()));
}

#[test]
fn mistakes_are_named() {
    let fail = |line: &str| parsed(line).unwrap_err().to_string();
    assert!(fail("-engine name=a -engine name=b visits=1").contains("engine a: no limit"));
    assert!(fail("-engine name=a visits=0").contains("visits: 0 must be at least 1"));
    assert!(fail("-engine name=a visits=1").contains("two engines"));
    assert!(fail("-rule gomoku").contains("-rule: unknown rule"));
    assert!(fail("-boardsize 99").contains("99 is no board size"));
    assert!(fail("-rounds").contains("-rounds: a value is missing"));
    assert!(fail("-bogus 1").contains("-bogus: unknown option"));
    assert!(fail("hello").contains("stands alone"));
    assert!(fail("-sprt elo0=5 elo1=0").contains("elo0 must be below elo1"));
    assert!(fail("-engine visits=5").contains("give it a name= or a cmd="));
    assert!(fail("-engine name=a tc=x").contains("is no time control"));
    assert!(
        fail("-engine name=a visits=1 -engine name=b visits=1 -anchor c=5").contains("no engine is called")
    );
    assert!(fail("-openings type=pos").contains("give file=, shipped=on or random="));
}

#[test]
fn the_order_of_openings_follows_from_where_they_come_from() {
    let engines = "-engine name=a visits=1 -engine name=b visits=1 -openings";
    for (words, random) in [
        ("file=f", false),
        ("file=f order=random", true),
        ("file=f shipped=on", false),
        ("shipped=on", true),
        ("shipped=on order=sequential", false),
    ] {
        assert_eq!(config(&format!("{engines} {words}")).openings.unwrap().random, random, "{words}");
    }
    let made = config(&format!("{engines} random=7 plies=4 srand=3")).random_openings.unwrap();
    assert_eq!((made.count, made.plies, made.seed), (7, 4, 3));
}
