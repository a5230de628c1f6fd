import { songNameFromFileName } from '../../contract/file-name.ts'
import type { ExportFormat, MakerSettings } from './engine.ts'

/**
 * Returns the name of the exported file, such as `city lights (speed 1.25, pitch +2).wav`. Reverb, bass and the float format are part of it if they
 * are used, so that exports with different settings have different names: `city lights (speed 0.8, pitch 0, reverb 35 size 50, bass +3).wav`.
 */
export const exportFileName = (songFileName: string, settings: MakerSettings, format: ExportFormat): string =>
  fileName(songFileName, settings, FORMAT_NOTES[format] ?? [], fileExtension(format))

/** What distinguishes the less usual of several formats with the same extension. */
const FORMAT_NOTES: Partial<Record<ExportFormat, readonly string[]>> = {
  'wav-int24': ['24-bit'],
  'wav-float32': ['32-bit float'],
  'flac-int24': ['24-bit'],
}

export const fileExtension = (format: ExportFormat): string => (format === 'mp3' ? 'mp3' : isFlac(format) ? 'flac' : 'wav')

export const isFlac = (format: ExportFormat): format is 'flac-int16' | 'flac-int24' => format.startsWith('flac')

/** Returns the name of a video, such as `city lights (speed 1.25, pitch +2).mp4`. */
export const videoFileName = (songFileName: string, settings: MakerSettings, extension: string): string =>
  fileName(songFileName, settings, [], extension)

function fileName(songFileName: string, settings: MakerSettings, notes: readonly string[], extension: string): string {
  const { speed, pitch, reverbAmount, reverbSize, bassDb } = settings
  const changes = [
    `speed ${formatNumber(speed)}`,
    `pitch ${formatChange(pitch)}`,
    ...(reverbAmount > 0 ? [`reverb ${formatNumber(reverbAmount)} size ${formatNumber(reverbSize)}`] : []),
    ...(bassDb !== 0 ? [`bass ${formatChange(bassDb)}`] : []),
    ...notes,
  ]
  return `${songNameFromFileName(songFileName)} (${changes.join(', ')}).${extension}`
}

const formatNumber = (value: number) => String(Number(value.toFixed(3)))
const formatChange = (value: number) => `${value > 0 ? '+' : ''}${formatNumber(value)}`
