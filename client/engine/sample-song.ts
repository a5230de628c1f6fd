import { hashIndex } from '../../dsp/hash.ts'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
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

const computeFrequencyHz = (midiNote: number) => 440 * 2 ** ((midiNote - 69) / 12)
const createNoiseAt = (index: number) => hashIndex(index) / 2 ** 31

/**
 * Synthesizes the demonstration song with which people can try the maker before they subscribe: four bars of plucked chords, bass and drums
 * as a 16-bit stereo file. Its end continues at its beginning, so that it can be looped. The samples are always the same. Each note and
 * each second of the result is computed in a task of its own, so that the page is not blocked.
 */
export async function createSampleSong(): Promise<SoundFile> {
  const stereoSides = [new Float32Array(SONG_FRAMES), new Float32Array(SONG_FRAMES)] as const
  /** Adds a mono sound from a beat on. Samples beyond the end are added at the beginning. @param stereoPan -1 (left) to 1 */
  const addSound = (atBeat: number, soundLevel: number, stereoPan: number, soundSamples: Float32Array) => {
    const startFrame = Math.round(atBeat * BEAT_FRAMES)
    for (const [sideIndex, sideSamples] of stereoSides.entries()) {
      const sideGain = soundLevel * Math.sqrt((1 + (sideIndex === 0 ? -stereoPan : stereoPan)) / 2)
      for (let frame = 0; frame < soundSamples.length; frame++) {
        const at = (startFrame + frame) % SONG_FRAMES
        sideSamples[at] = (sideSamples[at] ?? 0) + sideGain * (soundSamples[frame] ?? 0)
      }
    }
  }
  const drumSounds = { kick: synthesizeKick(), clap: synthesizeNoise(0.05, 0.6), hat: synthesizeNoise(0.015, 0.05) }
  for (const [barIndex, { bass, chord }] of CHORD_BARS.entries()) {
    const firstBeat = barIndex * BEATS_PER_BAR
    for (const [eighthIndex, chordNote] of ARPEGGIO_NOTES.entries()) {
      await waitForNextTask()
      const pluck = synthesizePluck(computeFrequencyHz(chord[chordNote] + 12), 1.6, 8 * barIndex + eighthIndex)
      addSound(firstBeat + eighthIndex / 2, eighthIndex === 0 ? 0.5 : 0.4, chordNote / 2 - 0.75, pluck)
      addSound(firstBeat + eighthIndex / 2, eighthIndex % 2 === 0 ? 0.05 : 0.09, 0.3, drumSounds.hat)
    }
    for (const note of chord) {
      await waitForNextTask()
      addSound(firstBeat, 0.22, 0, synthesizePluck(computeFrequencyHz(note), 2.4, 100 + note))
    }
    for (const beat of [0, 1.5, 2.5]) {
      addSound(firstBeat + beat, 0.5, 0, synthesizePluck(computeFrequencyHz(bass), 0.8, 200 + bass))
      addSound(firstBeat + beat, 0.6, 0, drumSounds.kick)
    }
    for (const beat of [1, 3]) addSound(firstBeat + beat, 0.3, 0, drumSounds.clap)
  }
  return { name: 'Sample.wav', blob: await toWavFile(stereoSides) }
}

/**
 * Synthesizes a plucked string: K. Karplus and A. Strong, "Digital Synthesis of Plucked-String and Drum Timbres" (1983). The delay is
 * interpolated, so that the pitch is exact.
 * @param seed a different seed results in different noise
 */
function synthesizePluck(frequencyHz: number, durationS: number, seed: number): Float32Array {
  const pluckSamples = new Float32Array(Math.round(durationS * SAMPLE_RATE))
  const periodFrames = SAMPLE_RATE / frequencyHz
  // Averaging two samples delays the sound by half a sample.
  const delayFrames = Math.floor(periodFrames - 0.5)
  const delayFraction = periodFrames - 0.5 - delayFrames
  // The level of the string falls by 60 dB over the length of the sound, and is faded out at the end.
  const lossFactor = 10 ** (-3 / (durationS * frequencyHz))
  for (let frameIndex = 0; frameIndex < pluckSamples.length; frameIndex++) {
    if (frameIndex < delayFrames + 2) {
      const noise = createNoiseAt(4096 * seed + frameIndex) + createNoiseAt(4096 * seed + frameIndex + 1)
      pluckSamples[frameIndex] = 0.5 * noise
    } else {
      const [newestSample = 0, middleSample = 0, oldestSample = 0] = [
        pluckSamples[frameIndex - delayFrames],
        pluckSamples[frameIndex - delayFrames - 1],
        pluckSamples[frameIndex - delayFrames - 2],
      ]
      pluckSamples[frameIndex] = 0.5 * lossFactor * ((1 - delayFraction) * newestSample + middleSample + delayFraction * oldestSample)
    }
  }
  return pluckSamples.map((sample, frame) => sample * Math.min(1, frame / 64, (pluckSamples.length - frame) / 2048))
}

/** Synthesizes a kick drum: a sine that falls from 140 to 50 Hz. */
function synthesizeKick(): Float32Array {
  const kickSamples = new Float32Array(Math.round(0.3 * SAMPLE_RATE))
  let kickPhase = 0
  for (let frameIndex = 0; frameIndex < kickSamples.length; frameIndex++) {
    const timeS = frameIndex / SAMPLE_RATE
    kickPhase += (2 * Math.PI * (50 + 90 * Math.exp(-timeS / 0.03))) / SAMPLE_RATE
    kickSamples[frameIndex] = Math.sin(kickPhase) * Math.exp(-timeS / 0.08) * Math.min(1, (kickSamples.length - frameIndex) / 512)
  }
  return kickSamples
}

/** Synthesizes a burst of noise for claps and hats. @param smoothingFactor 0 to 1: how much the treble is lowered */
function synthesizeNoise(decayS: number, smoothingFactor: number): Float32Array {
  const noiseSamples = new Float32Array(Math.round(7 * decayS * SAMPLE_RATE))
  let smoothedValue = 0
  for (let frame = 0; frame < noiseSamples.length; frame++) {
    smoothedValue += (1 - smoothingFactor) * (createNoiseAt(1_000_000 + frame) - smoothedValue)
    noiseSamples[frame] = smoothedValue * Math.exp(-frame / SAMPLE_RATE / decayS)
  }
  return noiseSamples
}

/** Writes the channels as 16-bit samples, saturated, with a peak of PEAK_AMPLITUDE. */
async function toWavFile(channelSamples: readonly Float32Array[]): Promise<Blob> {
  const peakLevel = channelSamples.reduce(
    (peak, samples) => samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), peak),
    0,
  )
  const toInteger = (sample: number) =>
    Math.round((32_767 * PEAK_AMPLITUDE * Math.tanh((SATURATION_DRIVE * sample) / peakLevel)) / Math.tanh(SATURATION_DRIVE))
  const sampleView = new DataView(new ArrayBuffer(2 * channelSamples.length * SONG_FRAMES))
  for (const [channelIndex, samples] of channelSamples.entries())
    for (let frame = 0; frame < SONG_FRAMES; frame++) {
      if (frame % SAMPLE_RATE === 0) await waitForNextTask()
      sampleView.setInt16(2 * (channelSamples.length * frame + channelIndex), toInteger(samples[frame] ?? 0), true)
    }
  const header = encodeWavHeader({ format: 'int16', channels: channelSamples.length, sampleRate: SAMPLE_RATE, frames: SONG_FRAMES })
  return new Blob([header, sampleView.buffer], { type: 'audio/wav' })
}
