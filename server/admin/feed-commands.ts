import { readFile } from 'node:fs/promises'
import { type Command, takeOperands, toPrintable, UsageError } from './command.ts'

/** Reads a JSON file. @throws UsageError if it cannot be read or is no JSON */
async function readJson(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`The file '${toPrintable(file)}' cannot be read`)
  }
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new UsageError(`The file '${toPrintable(file)}' is not JSON`)
  }
}

export const feedAdd: Command = {
  commandWords: 'feed add',
  synopsis: 'FILE',
  summary:
    'Adds news: one item or a list, each {"title", "content", "date"} and optionally "id", "image" and "url". An item with a known id is changed.',
  run: async (input, storage) => {
    const [file = ''] = takeOperands(input, 1, 1)
    const content = await readJson(file)
    const items: unknown[] = Array.isArray(content) ? content : [content]
    await storage.feed.put(items)
    return { text: `${items.length} news ${items.length === 1 ? 'item is' : 'items are'} stored.`, data: { items: items.length } }
  },
}
