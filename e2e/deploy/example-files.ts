import { readFile } from 'node:fs/promises'

/** Reads an example file of `deploy/`. */
export const readExample = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** Replaces every occurrence of a text. @throws Error if there is none, because then the example has changed */
export function replaceText(text: string, search: string, replacement: string): string {
  if (!text.includes(search)) throw new Error(`The example has no '${search}'`)
  return text.replaceAll(search, replacement)
}

/** Reads the example settings as the shell and systemd read them. */
export async function readExampleSettings(): Promise<Record<string, string>> {
  const lines = (await readExample('varispeed.env')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const [settingName = '', ...parts] = line.split('=')
      return [settingName, parts.join('=').replace(/^'(.*)'$/, '$1')]
    }),
  )
}
