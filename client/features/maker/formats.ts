import { localStore } from '../../platform/web-storage.ts'
import type { ExportFormat } from './use-maker.ts'

/** The formats of downloads: the name in the list, the name in messages, and a description. The first format is the default. */
export const DOWNLOAD_FORMATS = [
  { value: 'wav-int16', label: 'WAV, 16-bit', fileType: 'WAV', note: "16-bit PCM at the song's own sample rate" },
  { value: 'wav-int24', label: 'WAV, 24-bit', fileType: 'WAV', note: "24-bit PCM at the song's own sample rate" },
  {
    value: 'wav-float32',
    label: 'WAV, 32-bit float',
    fileType: 'WAV',
    note: "32-bit floats at the song's own sample rate, which do not clip",
  },
  { value: 'flac-int16', label: 'FLAC, 16-bit', fileType: 'FLAC', note: 'The same samples as in WAV, in less space' },
  { value: 'flac-int24', label: 'FLAC, 24-bit', fileType: 'FLAC', note: 'The same samples as in WAV, in less space' },
  { value: 'mp3', label: 'MP3, 320 kbps', fileType: 'MP3', note: 'MP3 at 320 kbps' },
] as const satisfies readonly { value: ExportFormat; label: string; fileType: string; note: string }[]

export const findFormatOption = (value: ExportFormat): (typeof DOWNLOAD_FORMATS)[number] =>
  DOWNLOAD_FORMATS.find((format) => format.value === value) ?? DOWNLOAD_FORMATS[0]

/** The type of a file in the words of messages. */
export const nameFileType = (format: ExportFormat | 'video'): string => (format === 'video' ? 'Video' : findFormatOption(format).fileType)

const STORAGE_KEY = 'varispeed.maker-format'

/** Returns the format that was chosen last on this device; by default WAV. */
export const readChosenFormat = (): ExportFormat =>
  DOWNLOAD_FORMATS.find(({ value }) => value === localStore.read(STORAGE_KEY))?.value ?? DOWNLOAD_FORMATS[0].value

export const storeChosenFormat = (format: ExportFormat): void => void localStore.write(STORAGE_KEY, format)
