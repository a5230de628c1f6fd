import type { FileTags } from '../../dsp/file-tags.ts'
import { computePlannedOutputFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
import { computeWavSizeBytes, fitsWavLimit, type SampleFormat, type WavDescription } from '../../dsp/wav.ts'
import type { ExportEstimate, ExportFormat, ExportOptions, LoadedSound, MakerSettings, OutputOptions } from './engine.ts'
import { createExportFileName, isFlacFormat } from './file-name.ts'
import { measureId3TagSize } from './id3.ts'
import { chooseMp3SampleRate, MP3_KBPS } from './mp3-info.ts'
import { toPlaybackRate, toRenderSettings } from './render-settings.ts'
import type { Sound } from './sound.ts'

export interface EstimateRequest {
  readonly sound: Pick<Sound, 'sampleRate' | 'channels' | 'frames'>
  readonly details: Pick<LoadedSound, 'name' | 'title' | 'artist' | 'album' | 'year' | 'cover' | 'bpm'>
  readonly settings: MakerSettings
  readonly format: ExportFormat
  /** The output options. By default, the file has the usual name and the level is unchanged. */
  readonly output?: (Pick<OutputOptions, 'namePattern' | 'targetLufs'> & Pick<ExportOptions, 'isLoop'>) | undefined
}

/** For each lossless format, the sample format of a WAV file of at least the same size, from which the size of the export is estimated. */
const SAMPLE_FORMAT_BY_EXPORT_FORMAT = {
  'wav-int16': 'int16',
  'wav-int24': 'int24',
  'wav-float32': 'float32',
  'flac-int16': 'int16',
  'flac-int24': 'int24',
} as const satisfies Record<Exclude<ExportFormat, 'mp3'>, SampleFormat>

/** Estimates the size of an export and whether it would fail. @param freeBytes storage that the browser grants; undefined if unknown */
export function estimateExportSize(
  { sound, details, settings, format, output }: EstimateRequest,
  freeBytes: number | undefined,
): ExportEstimate {
  const fileSettings = toExportSettings(sound, settings, format)
  const { sampleRate } = fileSettings
  const frames = computePlannedOutputFrames(planRender(fileSettings), sound.frames)
  const lengthS = frames / sampleRate
  const wavJob = { sound, settings: fileSettings, tags: toExportTags(details, settings), cover: details.cover }
  const wav = describeWav(wavJob, format === 'mp3' ? 'int16' : SAMPLE_FORMAT_BY_EXPORT_FORMAT[format], frames)
  const estimatedBytes = format === 'mp3' ? Math.ceil((lengthS * MP3_KBPS * 1000) / 8) : computeWavSizeBytes(wav)
  return {
    fileName: createExportFileName(details, settings, format, output),
    bytes: estimatedBytes,
    lengthS,
    exportProblem: findExportProblem(),
  }

  function findExportProblem(): ExportEstimate['exportProblem'] {
    if (frames === 0) return 'no-length'
    if (format !== 'mp3' && !isFlacFormat(format) && !fitsWavLimit(wav)) return 'too-large'
    return freeBytes !== undefined && estimatedBytes > freeBytes ? 'no-room' : undefined
  }
}

export const toExportSettings = (
  { sampleRate }: Pick<Sound, 'sampleRate'>,
  settings: MakerSettings,
  format: ExportFormat,
): RenderSettings => toRenderSettings(settings, sampleRate, format === 'mp3' ? chooseMp3SampleRate(sampleRate) : sampleRate)

/** Returns the tags of the exported file. The tempo in the tags is the tempo after the change of speed. */
export function toExportTags({ title, artist, album, year, bpm }: EstimateRequest['details'], settings: MakerSettings): FileTags {
  return {
    ...(title !== undefined && { title }),
    ...(artist !== undefined && { artist }),
    ...(album !== undefined && { album }),
    ...(year !== undefined && { year }),
    ...(bpm !== undefined && { bpm: Math.round(bpm * toPlaybackRate(settings) * 100) / 100 }),
  }
}

interface WavJob {
  readonly sound: Pick<Sound, 'channels'>
  readonly settings: Pick<RenderSettings, 'sampleRate'>
  readonly tags: FileTags
  readonly cover: Blob | undefined
}

/** Returns the description of a WAV file, whose cover and texts beyond ASCII are in an ID3 tag after the samples too. */
export function describeWav(
  { sound: { channels }, settings: { sampleRate }, tags, cover }: WavJob,
  format: SampleFormat,
  frameCount: number,
) {
  const needsId3 = cover !== undefined || Object.values(tags).some((tag) => /[^ -~]/.test(String(tag)))
  return {
    format,
    channels,
    sampleRate,
    frames: frameCount,
    tags,
    id3Bytes: needsId3 ? measureId3TagSize(tags, cover) : 0,
  } satisfies WavDescription
}
