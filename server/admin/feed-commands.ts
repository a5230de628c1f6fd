import { readFile } from 'node:fs/promises'
import { CommandError, defineCommand, toPrintable } from './command.ts'

/** Reads a JSON file. @throws CommandError if it cannot be read or is no JSON */
async function readJson(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw new CommandError(`The file '${toPrintable(file)}' cannot be read`)
  }
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new CommandError(`The file '${toPrintable(file)}' is not JSON`)
  }
}

export const feedAdd = defineCommand({
  words: 'feed add',
  summary: 'Adds news.',
  details: 'An item is {"title", "content", "date"} and optionally "id", "image" and "url". One with a known id is changed.',
  operands: { file: { help: 'a JSON file with one item or a list' } },
  run: async ({ file }, { storage }) => {
    const content = await readJson(file)
    const items: unknown[] = Array.isArray(content) ? content : [content]
    await storage.feed.put(items)
    return { text: `${items.length} news ${items.length === 1 ? 'item is' : 'items are'} stored.`, data: { items: items.length } }
  },
})
