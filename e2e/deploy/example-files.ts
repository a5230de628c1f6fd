import { readFile } from 'node:fs/promises'

/** Reads an example file of `deploy/`. */
export const readExample = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** Replaces every occurrence of a text. @throws Error if there is none, because then the example has changed */
export function replaceText(exampleText: string, searchedText: string, replacementText: string): string {
  if (!exampleText.includes(searchedText)) throw new Error(`The example has no '${searchedText}'`)
  return exampleText.replaceAll(searchedText, replacementText)
}

/** Reads the example settings as the shell and systemd read them. */
export async function readExampleSettings(): Promise<Record<string, string>> {
  const settingLines = (await readExample('varispeed.env')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    settingLines.map((settingLine) => {
      const [settingName = '', ...parts] = settingLine.split('=')
      return [settingName, parts.join('=').replace(/^'(.*)'$/, '$1')]
    }),
  )
}
