// The limits of conversions on the server, which the form and the server both apply: without schema code, because the page imports them.

/** The file name extensions that the form offers. The content decides what a file is. */
export const CONVERTED_EXTENSIONS = ['.mp3', '.wav', '.pcm', '.aiff', '.aif', '.aac', '.flac', '.alac', '.m4a', '.caf'] as const
export const UPLOAD_MAX_BYTES = 10 * 1024 * 1024
export const UPLOAD_TOO_LARGE = 'The file is larger than 10 MB.'
/** The change of the speed in percent. At -100 % a song would never end: less than `MIN_CONVERTED_PERCENT` is refused with `INVALID_SPEED`. */
export const MIN_SPEED_PERCENT = -100
export const MAX_SPEED_PERCENT = 100
export const MIN_CONVERTED_PERCENT = -90
export const INVALID_SPEED = 'Invalid Speed: Playback speed must be greater than zero to download.'
/** The number of conversions that an account may begin within an hour. */
export const CONVERSIONS_PER_HOUR = 20
/** How long an address of a converted file works; the history gives fresh ones. */
export const ADDRESS_MINUTES = 10
/** The time after which converted files are deleted. */
export const CONVERTED_DAYS = 7
/** The maximum length of a song in minutes, before and after the change of its speed. */
export const CONVERTED_MINUTES_MAX = 20

export const conversionFormats = ['mp3', 'wav'] as const
export type ConversionFormat = (typeof conversionFormats)[number]
export const conversionStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type ConversionState = (typeof conversionStates)[number]
