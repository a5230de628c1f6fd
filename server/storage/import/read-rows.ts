import { createReadStream } from 'node:fs'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { type ImportFileKey, importRowSchemas } from '../../../contract/import.ts'
import { ImportError } from '../errors.ts'

/** An unvalidated row of the import file; `index` is its zero-based position in the list `key`. */
export interface RawRow {
  key: ImportFileKey
  index: number
  value: unknown
}

const CHUNK_BYTES = 256 * 1024
/** Maximum size of a row. A playlist of a million songs takes half of this size. Larger rows are refused because a row is parsed in memory. */
const MAX_ROW_BYTES = 32 * 1024 * 1024
/** Maximum nesting depth that the parser accepts. Valid rows are nested at most two levels deep. */
const MAX_NESTING_DEPTH = 50
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

const isImportKey = (key: unknown): key is ImportFileKey => typeof key === 'string' && Object.hasOwn(importRowSchemas, key)
const keyNames = Object.keys(importRowSchemas).join(', ')

/** Converts an error of the JSON parser to an ImportError of one line that begins with the path. */
function createSyntaxError(filePath: string, error: unknown): ImportError {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  return new ImportError(`${filePath} is not valid JSON: ${reason}`)
}

/**
 * Checks the outermost two levels of the file during tokenising: an object with known keys whose values are lists.
 * @returns `checkToken`, to call with each token before the parser, and `key`, which returns the key of the current list
 */
function createOutlineCheck(filePath: string) {
  let nestingDepth = 0
  let listKey: string | undefined
  let expectsKey = false
  const checkToken = (token: TokenType, tokenValue: unknown) => {
    if (nestingDepth === 0 && token !== TokenType.LEFT_BRACE)
      throw new ImportError(`${filePath} must hold one JSON object with the keys ${keyNames}.`)
    if (nestingDepth === 1) {
      if (token === TokenType.STRING && expectsKey) {
        listKey = String(tokenValue)
        expectsKey = false
        if (!isImportKey(listKey))
          throw new ImportError(`${filePath} has an unknown key '${listKey.slice(0, 60)}'; the keys are ${keyNames}.`)
      } else if (token === TokenType.COMMA) {
        expectsKey = true
      } else if (token !== TokenType.COLON && token !== TokenType.RIGHT_BRACE && token !== TokenType.LEFT_BRACKET) {
        throw new ImportError(`${listKey ?? filePath}: must be a list.`)
      }
    }
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      nestingDepth++
      if (nestingDepth > MAX_NESTING_DEPTH)
        throw new ImportError(`${listKey ?? filePath}: is nested more than ${MAX_NESTING_DEPTH} levels deep.`)
      if (nestingDepth === 1) expectsKey = true
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      nestingDepth--
    }
  }
  return { check: checkToken, key: () => listKey }
}

/**
 * Yields the rows of a catalogue file in file order, in one batch per chunk read, so that the file is never in memory completely. Skips a byte order
 * mark.
 * @throws ImportError if the file cannot be read, is not valid JSON or does not have the layout of `contract/import.ts`
 */
export async function* readRows(filePath: string): AsyncGenerator<RawRow[]> {
  let rowBatch: RawRow[] = []
  const jsonTokenizer = new Tokenizer()
  const jsonParser = new TokenParser({ paths: ['$.*.*'], keepStack: false })
  const outlineCheck = createOutlineCheck(filePath)
  const rowCountByKey = new Map<string, number>()
  let bytesSinceRow = 0
  jsonTokenizer.onToken = (token) => {
    outlineCheck.check(token.token, token.value)
    jsonParser.write(token)
  }
  jsonParser.onValue = ({ value, key, stack }) => {
    const rowListKey = stack[1]?.key
    if (!isImportKey(rowListKey) || typeof key !== 'number') return
    rowBatch.push({ key: rowListKey, index: key, value })
    rowCountByKey.set(rowListKey, (rowCountByKey.get(rowListKey) ?? 0) + 1)
  }
  let isFirstChunk = true
  try {
    for await (const fileChunk of createReadStream(filePath, { highWaterMark: CHUNK_BYTES })) {
      let chunkBytes: Uint8Array = fileChunk
      if (isFirstChunk && BYTE_ORDER_MARK.every((byte, i) => chunkBytes[i] === byte))
        chunkBytes = chunkBytes.subarray(BYTE_ORDER_MARK.length)
      isFirstChunk = false
      try {
        jsonTokenizer.write(chunkBytes)
      } catch (error) {
        throw error instanceof ImportError ? error : createSyntaxError(filePath, error)
      }
      bytesSinceRow = rowBatch.length > 0 ? 0 : bytesSinceRow + chunkBytes.length
      if (bytesSinceRow > MAX_ROW_BYTES) {
        const key = outlineCheck.key()
        const rowLabel = isImportKey(key) ? `${key}[${rowCountByKey.get(key) ?? 0}]` : filePath
        throw new ImportError(`${rowLabel}: is larger than ${MAX_ROW_BYTES / 1024 / 1024} MB`)
      }
      if (rowBatch.length > 0) yield rowBatch
      rowBatch = []
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) {
      const reason = error.code === 'ENOENT' ? 'there is no such file' : String(error.code)
      throw new ImportError(`${filePath} cannot be read: ${reason}.`)
    }
    throw error
  }
  try {
    if (!jsonTokenizer.isEnded) jsonTokenizer.end()
    if (!jsonParser.isEnded) throw new Error('it ends in the middle')
  } catch (error) {
    throw createSyntaxError(filePath, error)
  }
}
