/** The click of a stone, made on the spot. @module */
import { preferences } from "./preferences.js";

/** @type {AudioContext | null} */
let audio = null;

/** A stone is put down. */
export function click() {
  if (!preferences.sound) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  volume.gain.setValueAtTime(0.22, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
