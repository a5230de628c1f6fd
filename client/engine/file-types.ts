/** What a person may give to the maker, by name and by what the browser calls it: MP3, WAV, OGG, M4A, AAC and FLAC. */
const NAMES = /\.(?:mp3|wav|wave|ogg|oga|opus|m4a|m4b|m4p|aac|flac)$/i
const TYPES =
  /^(?:audio\/(?:mpeg|mp3|mp4|m4a|x-m4a|wav|wave|x-wav|vnd\.wave|ogg|opus|vorbis|aac|aacp|x-aac|flac|x-flac)|application\/ogg)(?:;|$)/i

/** Whether it says that it is of those types. What it is, its bytes tell. */
export const isAudioByName = (name: string, type: string): boolean => NAMES.test(name) || TYPES.test(type)
