import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The form of a JSON value: its type, or the forms of its members. A list has the form of its first item. */
export type Shape = string | Shape[] | { [member: string]: Shape }

/** The recorded part of a response. It contains no secrets and no data of an account. */
export interface Recording {
  name: string
  status: number
  headers: Record<string, string>
  /** The property names and value types of a JSON body; null for other bodies. */
  body: Shape | null
}

/** The headers that are recorded. None of them contains an id or a secret. */
const RECORDED_HEADERS = ['content-type', 'cache-control', 'referrer-policy', 'x-frame-options', 'www-authenticate']

export function shapeOf(value: unknown): Shape {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
  return typeof value
}

export function createRecording(name: string, response: Response, text: string): Recording {
  const headers = RECORDED_HEADERS.flatMap((header) => {
    const value = response.headers.get(header)
    return value === null ? [] : [[header, value]]
  })
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  let body: Shape | null = null
  try {
    if (isJson) body = shapeOf(JSON.parse(text))
  } catch {
    // A body that is not JSON has no shape.
  }
  return { name, status: response.status, headers: Object.fromEntries(headers), body }
}

/** Writes each recording to a file of its own, named after the recording. */
export async function writeRecordings(folderPath: string, recordings: readonly Recording[]): Promise<void> {
  await mkdir(folderPath, { recursive: true })
  for (const recording of recordings) await writeFile(join(folderPath, `${recording.name}.json`), `${JSON.stringify(recording, null, 2)}\n`)
}

/**
 * Compares the shape of a stand-in's response with a recorded one. Returns a line for each property that the recording lacks or that has another type
 * there. A stand-in may omit properties.
 */
export function findDifferences(recordedShape: Shape, standIn: Shape, fieldPath = 'body'): string[] {
  if (Array.isArray(recordedShape) && Array.isArray(standIn)) {
    const [first, other] = [recordedShape[0], standIn[0]]
    return first === undefined || other === undefined ? [] : findDifferences(first, other, `${fieldPath}[]`)
  }
  if (typeof recordedShape === 'object' && typeof standIn === 'object' && !Array.isArray(recordedShape) && !Array.isArray(standIn))
    return Object.entries(standIn).flatMap(([name, member]) => {
      const original = recordedShape[name]
      return original === undefined
        ? [`${fieldPath}.${name} is not in the recording`]
        : findDifferences(original, member, `${fieldPath}.${name}`)
    })
  return JSON.stringify(recordedShape) === JSON.stringify(standIn)
    ? []
    : [`${fieldPath} is ${JSON.stringify(standIn)}, recorded as ${JSON.stringify(recordedShape)}`]
}
