import { hashIndex } from '../../dsp/hash.ts'
import { wavHeader } from '../../dsp/wav.ts'
import { nextTask } from '../primitives/next-task.ts'
import type { SoundFile } from './engine.ts'

export const SAMPLE_BPM = 100

const SAMPLE_RATE = 44_100
const BEAT_FRAMES = (SAMPLE_RATE * 60) / SAMPLE_BPM
const BEATS_PER_BAR = 4
/** The peak of the sample, relative to full scale. */
const PEAK_AMPLITUDE = 0.8
/**
 * The factor by which the samples are amplified into saturation, as on tape, so that the sample song is about as loud as a finished song.
 */
const SATURATION_DRIVE = 3.5

/** Notes as MIDI numbers: the bass note of each bar, and the chord from its lowest note. A minor 7, F major 7, C major, G major. */
const CHORD_BARS = [
  { bass: 45, chord: [57, 60, 64, 67] },
  { bass: 41, chord: [57, 60, 64, 65] },
  { bass: 48, chord: [55, 60, 64, 67] },
  { bass: 43, chord: [55, 59, 62, 67] },
] as const
/** The index of the chord's note that is played on each eighth of a bar. */
const ARPEGGIO_NOTES = [0, 2, 3, 1, 2, 3, 1, 2] as const

const SONG_FRAMES = CHORD_BARS.length * BEATS_PER_BAR * BEAT_FRAMES

const frequencyOf = (midiNote: number) => 440 * 2 ** ((midiNote - 69) / 12)
const noiseAt = (index: number) => hashIndex(index) / 2 ** 31

/**
 * Synthesizes the demonstration song with which people can try the maker before they subscribe: four bars of plucked chords, bass and drums
 * as a 16-bit stereo file. Its end continues at its beginning, so that it can be looped. The samples are always the same. Each note and
 * each second of the result is computed in a task of its own, so that the page is not blocked.
 */
export async function createSampleSong(): Promise<SoundFile> {
  const sides = [new Float32Array(SONG_FRAMES), new Float32Array(SONG_FRAMES)] as const
  /** Adds a mono sound from a beat on. Samples beyond the end are added at the beginning. @param pan -1 (left) to 1 */
  const addSound = (atBeat: number, level: number, pan: number, sound: Float32Array) => {
    const startFrame = Math.round(atBeat * BEAT_FRAMES)
    for (const [side, samples] of sides.entries()) {
      const gain = level * Math.sqrt((1 + (side === 0 ? -pan : pan)) / 2)
      for (let frame = 0; frame < sound.length; frame++) {
        const at = (startFrame + frame) % SONG_FRAMES
        samples[at] = (samples[at] ?? 0) + gain * (sound[frame] ?? 0)
      }
    }
  }
  const drums = { kick: synthesizeKick(), clap: synthesizeNoise(0.05, 0.6), hat: synthesizeNoise(0.015, 0.05) }
  for (const [bar, { bass, chord }] of CHORD_BARS.entries()) {
    const firstBeat = bar * BEATS_PER_BAR
    for (const [eighth, chordNote] of ARPEGGIO_NOTES.entries()) {
      await nextTask()
      const pluck = synthesizePluck(frequencyOf(chord[chordNote] + 12), 1.6, 8 * bar + eighth)
      addSound(firstBeat + eighth / 2, eighth === 0 ? 0.5 : 0.4, chordNote / 2 - 0.75, pluck)
      addSound(firstBeat + eighth / 2, eighth % 2 === 0 ? 0.05 : 0.09, 0.3, drums.hat)
    }
    for (const note of chord) {
      await nextTask()
      addSound(firstBeat, 0.22, 0, synthesizePluck(frequencyOf(note), 2.4, 100 + note))
    }
    for (const beat of [0, 1.5, 2.5]) {
      addSound(firstBeat + beat, 0.5, 0, synthesizePluck(frequencyOf(bass), 0.8, 200 + bass))
      addSound(firstBeat + beat, 0.6, 0, drums.kick)
    }
    for (const beat of [1, 3]) addSound(firstBeat + beat, 0.3, 0, drums.clap)
  }
  return { name: 'Sample.wav', blob: await toWavFile(sides) }
}

/**
 * Synthesizes a plucked string: K. Karplus and A. Strong, "Digital Synthesis of Plucked-String and Drum Timbres" (1983). The delay is
 * interpolated, so that the pitch is exact.
 * @param seed a different seed results in different noise
 */
function synthesizePluck(frequencyHz: number, seconds: number, seed: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * SAMPLE_RATE))
  const period = SAMPLE_RATE / frequencyHz
  // Averaging two samples delays the sound by half a sample.
  const delay = Math.floor(period - 0.5)
  const fraction = period - 0.5 - delay
  // The level of the string falls by 60 dB over the length of the sound, and is faded out at the end.
  const loss = 10 ** (-3 / (seconds * frequencyHz))
  for (let frame = 0; frame < samples.length; frame++) {
    if (frame < delay + 2) {
      const noise = noiseAt(4096 * seed + frame) + noiseAt(4096 * seed + frame + 1)
      samples[frame] = 0.5 * noise
    } else {
      const [a = 0, b = 0, c = 0] = [samples[frame - delay], samples[frame - delay - 1], samples[frame - delay - 2]]
      samples[frame] = 0.5 * loss * ((1 - fraction) * a + b + fraction * c)
    }
  }
  return samples.map((sample, frame) => sample * Math.min(1, frame / 64, (samples.length - frame) / 2048))
}

/** Synthesizes a kick drum: a sine that falls from 140 to 50 Hz. */
function synthesizeKick(): Float32Array {
  const samples = new Float32Array(Math.round(0.3 * SAMPLE_RATE))
  let phase = 0
  for (let frame = 0; frame < samples.length; frame++) {
    const timeS = frame / SAMPLE_RATE
    phase += (2 * Math.PI * (50 + 90 * Math.exp(-timeS / 0.03))) / SAMPLE_RATE
    samples[frame] = Math.sin(phase) * Math.exp(-timeS / 0.08) * Math.min(1, (samples.length - frame) / 512)
  }
  return samples
}

/** Synthesizes a burst of noise for claps and hats. @param smoothing 0 to 1: how much the treble is lowered */
function synthesizeNoise(decayS: number, smoothing: number): Float32Array {
  const samples = new Float32Array(Math.round(7 * decayS * SAMPLE_RATE))
  let smoothed = 0
  for (let frame = 0; frame < samples.length; frame++) {
    smoothed += (1 - smoothing) * (noiseAt(1_000_000 + frame) - smoothed)
    samples[frame] = smoothed * Math.exp(-frame / SAMPLE_RATE / decayS)
  }
  return samples
}

/** Writes the channels as 16-bit samples, saturated, with a peak of PEAK_AMPLITUDE. */
async function toWavFile(channels: readonly Float32Array[]): Promise<Blob> {
  const loudest = channels.reduce((peak, samples) => samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), peak), 0)
  const toInteger = (sample: number) =>
    Math.round((32_767 * PEAK_AMPLITUDE * Math.tanh((SATURATION_DRIVE * sample) / loudest)) / Math.tanh(SATURATION_DRIVE))
  const sampleView = new DataView(new ArrayBuffer(2 * channels.length * SONG_FRAMES))
  for (const [channelIndex, samples] of channels.entries())
    for (let frame = 0; frame < SONG_FRAMES; frame++) {
      if (frame % SAMPLE_RATE === 0) await nextTask()
      sampleView.setInt16(2 * (channels.length * frame + channelIndex), toInteger(samples[frame] ?? 0), true)
    }
  const header = wavHeader({ format: 'int16', channels: channels.length, sampleRate: SAMPLE_RATE, frames: SONG_FRAMES })
  return new Blob([header, sampleView.buffer], { type: 'audio/wav' })
}
