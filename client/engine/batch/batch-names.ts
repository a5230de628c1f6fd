import { songNameFromFileName } from '../../../contract/file-name.ts'

/** The fields of a name pattern, and what each stands for. */
export const BATCH_NAME_FIELDS = ['name', 'title', 'artist', 'preset', 'rate', 'speed', 'pitch', 'bpm', 'number'] as const

export type BatchNameField = (typeof BATCH_NAME_FIELDS)[number]

/**
 * Returns the file name that a pattern gives a song, such as `{name} ({preset} {rate})`. Braces around anything else stay as they are. Characters that
 * file systems forbid are replaced, and a name that is too long is cut.
 */
export function batchFileName(pattern: string, fields: Readonly<Record<BatchNameField, string>>, extension: string): string {
  const text = pattern.replace(/\{([a-z]+)\}/g, (braced, field: string) => (isField(field) ? fields[field] : braced))
  // `songNameFromFileName` removes an extension, which the text does not have: the `25` of a rate of 1.25 stays.
  return `${songNameFromFileName(`${text}.${extension}`)}.${extension}`
}

const isField = (field: string): field is BatchNameField => (BATCH_NAME_FIELDS as readonly string[]).includes(field)

/** Returns `fileName`, or with the first free number: `city lights (2).mp3`. */
export async function freeFileName(fileName: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const dot = fileName.lastIndexOf('.')
  for (let number = 2, name = fileName; ; number++) {
    if (!(await isTaken(name))) return name
    name = `${fileName.slice(0, dot)} (${number})${fileName.slice(dot)}`
  }
}

/** The form of a name by which file systems that ignore case and normalisation recognise it. */
export const comparableName = (name: string): string => name.normalize('NFC').toLowerCase()
