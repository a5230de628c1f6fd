import { gainDb } from '../../dsp/levels.ts'
import { plannedFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
import { MAX_RATE, MIN_RATE } from '../../dsp/resampler-design.ts'
import { fitsWav, type WavTags, wavSizeBytes } from '../../dsp/wav.ts'
import type { Estimate, Exported, ExportFailure, ExportFormat, ExportTask, LoadedSound, MakerSettings } from './engine.ts'
import { exportFileName } from './file-name.ts'
import { exportMp3, MP3_KBPS, mp3SampleRate } from './mp3-export.ts'
import type { RenderPool } from './render-pool.ts'
import { rateOf, renderSettings } from './render-settings.ts'
import type { Sound } from './sound.ts'
import { exportFloatWav, exportIntWav } from './wav-export.ts'

export interface ExportOrder {
  readonly sound: Sound
  readonly about: Pick<LoadedSound, 'name' | 'title' | 'artist' | 'bpm'>
  readonly settings: MakerSettings
  readonly format: ExportFormat
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  readonly onProgress: (progress: number) => void
  /** What must be over before: the workers do one at a time. */
  readonly after?: Promise<unknown> | undefined
}

/** Of what two passes need, kept in memory: more than half of a song. */
const KEEP_IN_MEMORY_BYTES = 40 * 2 ** 20
/** And on the disk, where there is a reverb: to write and read without one takes longer than to render again. */
const KEEP_ON_DISK_BYTES = 2 ** 30

const EXPORTS = { 'wav-int16': exportIntWav, 'wav-float32': exportFloatWav, mp3: exportMp3 } as const

export function startExport(pool: RenderPool, order: ExportOrder): ExportTask {
  const cancelling = new AbortController()
  return { result: run(pool, order, cancelling.signal), cancel: () => cancelling.abort() }
}

async function run(pool: RenderPool, order: ExportOrder, signal: AbortSignal): Promise<Exported | ExportFailure> {
  const { sound, about, settings, format, sink, onProgress, after } = order
  const { problem } = estimateExport(sound, about, settings, format, undefined)
  if (problem !== undefined) {
    // A sink that gets nothing is let go.
    sink?.abort().catch(() => {})
    return { kind: problem }
  }
  try {
    await after
    const { bytes, file, gain } = await EXPORTS[format](pool, {
      sound,
      settings: settingsFor(sound, settings, format),
      tags: tagsOf(about, settings),
      keep: { memoryBytes: KEEP_IN_MEMORY_BYTES, diskBytes: settings.reverbAmount > 0 ? KEEP_ON_DISK_BYTES : 0 },
      sink,
      onProgress,
      signal,
    })
    return { kind: 'exported', fileName: fileNameOf(about.name, settings, format), bytes, file, loweredDb: gain === 1 ? 0 : -gainDb(gain) }
  } catch (error) {
    sink?.abort(error).catch(() => {})
    return signal.aborted ? { kind: 'cancelled' } : failureOf(error)
  }
}

/** @param roomBytes of the device; undefined where it is not known */
export function estimateExport(
  sound: Pick<Sound, 'sampleRate' | 'channels' | 'frames'>,
  about: ExportOrder['about'],
  settings: MakerSettings,
  format: ExportFormat,
  roomBytes: number | undefined,
): Estimate {
  const forFile = settingsFor(sound, settings, format)
  const { sampleRate, rate } = forFile
  // The rates of MP3 files are few: to one of them from a rate far from it, and fast or slow besides, nothing is rendered.
  const frames = rate >= MIN_RATE && rate <= MAX_RATE ? plannedFrames(planRender(forFile), sound.frames) : 0
  const lengthS = frames / sampleRate
  const wav = {
    format: format === 'wav-float32' ? 'float32' : 'int16',
    channels: sound.channels,
    sampleRate,
    frames,
    tags: tagsOf(about, settings),
  } as const
  const bytes = format === 'mp3' ? Math.ceil((lengthS * MP3_KBPS * 1000) / 8) : wavSizeBytes(wav)
  return { fileName: fileNameOf(about.name, settings, format), bytes, lengthS, problem: problemOf() }

  function problemOf(): Estimate['problem'] {
    if (frames === 0) return 'no-length'
    if (format !== 'mp3' && !fitsWav(wav)) return 'too-large'
    return roomBytes !== undefined && bytes > roomBytes ? 'no-room' : undefined
  }
}

const fileNameOf = (name: string, settings: MakerSettings, format: ExportFormat): string =>
  exportFileName(name, settings, format === 'mp3' ? 'mp3' : 'wav')

const settingsFor = ({ sampleRate }: Pick<Sound, 'sampleRate'>, settings: MakerSettings, format: ExportFormat): RenderSettings =>
  renderSettings(settings, sampleRate, format === 'mp3' ? mp3SampleRate(sampleRate) : sampleRate)

/** Beats per minute are those of the result. */
function tagsOf({ title, artist, bpm }: ExportOrder['about'], settings: MakerSettings): WavTags {
  return {
    ...(title !== undefined && { title }),
    ...(artist !== undefined && { artist }),
    ...(bpm !== undefined && { bpm: Math.round(bpm * rateOf(settings) * 100) / 100 }),
  }
}

function failureOf(error: unknown): ExportFailure {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(String(error))
  // A RangeError is an array for which there is no memory.
  if (name === 'QuotaExceededError' || name === 'RangeError') return { kind: 'no-room' }
  return { kind: 'failed', reason: message }
}
