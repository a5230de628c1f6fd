// The form and the server both apply these limits of conversions. This file contains no schemas, because pages that import it would load the schema
// library as well.

/** The file name extensions that the form's file picker offers. The server decides by the content of a file whether it can convert the file. */
export const UPLOAD_EXTENSIONS = ['.mp3', '.wav', '.pcm', '.aiff', '.aif', '.aac', '.flac', '.alac', '.m4a', '.caf'] as const
export const UPLOAD_MAX_BYTES = 10 * 1024 * 1024
export const EMPTY_FILE_MESSAGE = 'The file is empty.'
export const UPLOAD_TOO_LARGE_MESSAGE = 'The file is larger than 10 MB.'
/**
 * The range of the form's speed field, as a change in percent. At -100 % a song would never end, so the server refuses values below
 * `MIN_CONVERTED_SPEED_PERCENT` with the message `INVALID_SPEED_MESSAGE`.
 */
export const MIN_SPEED_PERCENT = -100
export const MAX_SPEED_PERCENT = 100
export const MIN_CONVERTED_SPEED_PERCENT = -90
export const INVALID_SPEED_MESSAGE = 'Invalid Speed: Playback speed must be greater than zero to download.'
/** The number of conversions that an account may begin within an hour, unless `RATE_LIMIT_CONVERSIONS` sets another number. */
export const CONVERSIONS_PER_HOUR = 20
/** How many minutes the download URL of a converted file is valid. Each request of the history returns new URLs. */
export const DOWNLOAD_URL_VALID_MINUTES = 10
/** How many days converted files are stored. */
export const CONVERTED_FILE_STORAGE_DAYS = 7
/** The maximum length of a song in minutes, before and after the change of its speed. */
export const SONG_MINUTES_MAX = 20

export const conversionFormats = ['mp3', 'wav'] as const
export type ConversionFormat = (typeof conversionFormats)[number]
export const conversionStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type ConversionState = (typeof conversionStates)[number]
