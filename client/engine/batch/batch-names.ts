/** Returns `fileName` if no file has this name, else `fileName` with the first number that is free, such as `city lights (2).mp3`. */
export async function findFreeFileName(fileName: string, isNameTaken: (name: string) => Promise<boolean>): Promise<string> {
  const dotIndex = fileName.lastIndexOf('.')
  for (let number = 2, name = fileName; ; number++) {
    if (!(await isNameTaken(name))) return name
    name = `${fileName.slice(0, dotIndex)} (${number})${fileName.slice(dotIndex)}`
  }
}

/**
 * Returns a file name without the characters that Chromium's folders refuse although file systems allow them: format characters, such as
 * the joiners of emoji and Persian words, and `~`, dots and white space at the start.
 */
export function removeRefusedCharacters(fileName: string): string {
  const dotIndex = fileName.lastIndexOf('.')
  const stem = fileName
    .slice(0, dotIndex)
    .replace(/\p{Cf}/gu, '')
    .replace(/^[~.\s]+/, '')
  return `${stem || 'song'}${fileName.slice(dotIndex)}`
}

/**
 * Returns a form of a file name that is equal for names which a file system that ignores case and Unicode normalisation treats as the same.
 */
export const toComparableName = (name: string): string => name.normalize('NFC').toLowerCase()
