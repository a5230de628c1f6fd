/** Supported file types by file name extension and by MIME type: MP3, WAV, OGG, M4A, AAC and FLAC. */
const FILE_NAME_PATTERN = /\.(?:mp3|wav|wave|ogg|oga|opus|m4a|m4b|m4p|aac|flac)$/i
const MIME_TYPE_PATTERN =
  /^(?:audio\/(?:mpeg|mp3|mp4|m4a|x-m4a|wav|wave|x-wav|vnd\.wave|ogg|opus|vorbis|aac|aacp|x-aac|flac|x-flac)|application\/ogg)(?:;|$)/i

/** Whether name or MIME type announce a supported type. The content decides what the file is. */
export const isAudioByName = (name: string, mimeType: string): boolean => FILE_NAME_PATTERN.test(name) || MIME_TYPE_PATTERN.test(mimeType)
