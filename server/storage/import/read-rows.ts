import { createReadStream } from 'node:fs'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { type ImportKey, importRows } from '../../../contract/import.ts'
import { ImportError } from '../storage.ts'

/** A value of one of the file's lists, not yet validated; `index` counts from 0 within the list. */
export interface RawRow {
  key: ImportKey
  index: number
  value: unknown
}

const CHUNK_BYTES = 256 * 1024
/** A playlist of a million songs is half of it. What goes on longer without a row's end would fill the memory. */
const ROW_MAX_BYTES = 32 * 1024 * 1024
/** No row is nested more than two levels deep. */
const DEPTH_MAX = 50
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

const isImportKey = (key: unknown): key is ImportKey => typeof key === 'string' && Object.hasOwn(importRows, key)
const keys = Object.keys(importRows).join(', ')

/** What the parser says of bad JSON, as one line that starts with the place. */
function syntaxError(path: string, error: unknown): ImportError {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  return new ImportError(`${path} is not valid JSON: ${reason}`)
}

/**
 * Follows the outermost two levels of the file as its tokens pass: an object whose known keys hold lists.
 * @returns what to call with each token before the parser gets it, and the key whose list is being read
 */
function outlineCheck(path: string) {
  let depth = 0
  let key: string | undefined
  let expectsKey = false
  const check = (token: TokenType, value: unknown) => {
    if (depth === 0 && token !== TokenType.LEFT_BRACE) throw new ImportError(`${path} must hold one JSON object with the keys ${keys}.`)
    if (depth === 1) {
      if (token === TokenType.STRING && expectsKey) {
        key = String(value)
        expectsKey = false
        if (!isImportKey(key)) throw new ImportError(`${path} has an unknown key '${key.slice(0, 60)}'; the keys are ${keys}.`)
      } else if (token === TokenType.COMMA) {
        expectsKey = true
      } else if (token !== TokenType.COLON && token !== TokenType.RIGHT_BRACE && token !== TokenType.LEFT_BRACKET) {
        throw new ImportError(`${key ?? path}: must be a list.`)
      }
    }
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      depth++
      if (depth > DEPTH_MAX) throw new ImportError(`${key ?? path}: is nested more than ${DEPTH_MAX} levels deep.`)
      if (depth === 1) expectsKey = true
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      depth--
    }
  }
  return { check, key: () => key }
}

/**
 * The rows of the catalogue file at `path`, in its order, a batch for each piece that is read: the file is never
 * in memory as a whole. A byte order mark is skipped.
 * @throws ImportError where the file cannot be read, is not JSON or is not laid out as `contract/import.ts` says
 */
export async function* readRows(path: string): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = []
  const tokenizer = new Tokenizer()
  const parser = new TokenParser({ paths: ['$.*.*'], keepStack: false })
  const outline = outlineCheck(path)
  const ended = new Map<string, number>()
  let bytesSinceRow = 0
  tokenizer.onToken = (token) => {
    outline.check(token.token, token.value)
    parser.write(token)
  }
  parser.onValue = ({ value, key, stack }) => {
    const list = stack[1]?.key
    if (!isImportKey(list) || typeof key !== 'number') return
    batch.push({ key: list, index: key, value })
    ended.set(list, (ended.get(list) ?? 0) + 1)
  }
  let first = true
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      let bytes: Uint8Array = chunk
      if (first && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)) bytes = bytes.subarray(BYTE_ORDER_MARK.length)
      first = false
      try {
        tokenizer.write(bytes)
      } catch (error) {
        throw error instanceof ImportError ? error : syntaxError(path, error)
      }
      bytesSinceRow = batch.length > 0 ? 0 : bytesSinceRow + bytes.length
      if (bytesSinceRow > ROW_MAX_BYTES) {
        const key = outline.key()
        const name = isImportKey(key) ? `${key}[${ended.get(key) ?? 0}]` : path
        throw new ImportError(`${name}: is larger than ${ROW_MAX_BYTES / 1024 / 1024} MB`)
      }
      if (batch.length > 0) yield batch
      batch = []
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) {
      const reason = error.code === 'ENOENT' ? 'there is no such file' : String(error.code)
      throw new ImportError(`${path} cannot be read: ${reason}.`)
    }
    throw error
  }
  try {
    if (!tokenizer.isEnded) tokenizer.end()
    if (!parser.isEnded) throw new Error('it ends in the middle')
  } catch (error) {
    throw syntaxError(path, error)
  }
}
