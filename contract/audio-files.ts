/** The file name extensions and MIME types of the audio files that the maker opens. */
const AUDIO_FILE_TYPES = [
  { extensions: ['.mp3'], mimeTypes: ['audio/mpeg', 'audio/mp3'] },
  { extensions: ['.wav', '.wave'], mimeTypes: ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'] },
  { extensions: ['.ogg', '.oga', '.opus'], mimeTypes: ['audio/ogg', 'audio/opus', 'audio/vorbis', 'application/ogg'] },
  { extensions: ['.m4a', '.m4b', '.m4p'], mimeTypes: ['audio/mp4', 'audio/m4a', 'audio/x-m4a'] },
  { extensions: ['.aac'], mimeTypes: ['audio/aac', 'audio/aacp', 'audio/x-aac'] },
  { extensions: ['.flac'], mimeTypes: ['audio/flac', 'audio/x-flac'] },
  { extensions: ['.webm', '.weba', '.mka'], mimeTypes: ['audio/webm', 'audio/x-matroska'] },
  { extensions: ['.aif', '.aiff', '.aifc'], mimeTypes: ['audio/aiff', 'audio/x-aiff'] },
  { extensions: ['.caf'], mimeTypes: ['audio/x-caf'] },
] as const

export const AUDIO_EXTENSIONS: readonly string[] = AUDIO_FILE_TYPES.flatMap(({ extensions }) => extensions)
const MIME_TYPES: readonly string[] = AUDIO_FILE_TYPES.flatMap(({ mimeTypes }) => mimeTypes)

/**
 * Whether a file looks like audio that the maker can open, by its file name extension or its MIME type. The maker itself decides by the file's
 * content.
 */
export function isAudioFile({ name, type }: { readonly name: string; readonly type: string }): boolean {
  const [mimeType = ''] = type.toLowerCase().split(';')
  return MIME_TYPES.includes(mimeType) || AUDIO_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))
}
