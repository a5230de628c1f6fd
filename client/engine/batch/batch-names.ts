/** Returns `fileName`, or with the first free number: `city lights (2).mp3`. */
export async function findFreeFileName(fileName: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const dot = fileName.lastIndexOf('.')
  for (let number = 2, name = fileName; ; number++) {
    if (!(await isTaken(name))) return name
    name = `${fileName.slice(0, dot)} (${number})${fileName.slice(dot)}`
  }
}

/** The form of a name by which file systems that ignore case and normalisation recognise it. */
export const toComparableName = (name: string): string => name.normalize('NFC').toLowerCase()
