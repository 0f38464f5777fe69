//! Trains a net: `train_flagship DIRECTORY RULE EPOCHS FILE...`.
use fivestone_train::flagship::{Config, Run};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut config = Config {
        rule: arguments[1].clone(),
        epochs: arguments[2].parse()?,
        data: arguments[3..].iter().map(Into::into).collect(),
        ..Config::default()
    };
    let var = |n: &str| std::env::var(n).ok();
    if let Some(v) = var("RATE") { config.rate = v.parse()?; }
    if let Some(v) = var("LINES") { config.lines = v.parse()?; }
    if let Some(v) = var("NINES") { config.nines = v.parse()?; }
    if let Some(v) = var("MOVEW") { config.move_weight = v.parse()?; }
    let run = Run::open(arguments[0].as_ref(), Some(config))?;
    let dataset = run.load()?;
    println!("{} positions, {} held out", dataset.training().len(), dataset.held_out().len());
    let finished = run.train(&dataset, |p| {
        println!(
            "{}/{} e{:.2} train {:.4} {:.4} | judged value {:.4} move {:.4} top1 {:.4} | other value {:.4} move {:.4} top1 {:.4} | {:.0}/s",
            p.step, p.steps, p.epoch, p.train_outcome_loss, p.train_move_loss, p.judged.value_loss, p.judged.move_loss,
            p.judged.top1, p.unjudged.value_loss, p.unjudged.move_loss, p.unjudged.top1, p.samples_per_second
        );
        true
    })?;
    if let Some((_, measured)) = finished { println!("{measured:#?}"); }
    Ok(())
}
