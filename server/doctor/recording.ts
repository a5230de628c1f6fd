import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The form of a JSON value: its type, or the forms of its members. A list has the form of its first item. */
export type JsonShape = string | JsonShape[] | { [member: string]: JsonShape }

/** The recorded part of a response. It contains no secrets and no data of an account. */
export interface Recording {
  name: string
  status: number
  headers: Record<string, string>
  /** The property names and value types of a JSON body; null for other bodies. */
  body: JsonShape | null
}

/** The headers that are recorded. None of them contains an id or a secret. */
const RECORDED_HEADERS = ['content-type', 'cache-control', 'referrer-policy', 'x-frame-options', 'www-authenticate']

export function describeShape(jsonValue: unknown): JsonShape {
  if (jsonValue === null) return 'null'
  if (Array.isArray(jsonValue)) return jsonValue.slice(0, 1).map(describeShape)
  if (typeof jsonValue === 'object')
    return Object.fromEntries(Object.entries(jsonValue).map(([name, member]) => [name, describeShape(member)]))
  return typeof jsonValue
}

export function createRecording(recordingName: string, response: Response, bodyText: string): Recording {
  const recordedHeaders = RECORDED_HEADERS.flatMap((headerName) => {
    const value = response.headers.get(headerName)
    return value === null ? [] : [[headerName, value]]
  })
  const isJsonResponse = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  let bodyShape: JsonShape | null = null
  try {
    if (isJsonResponse) bodyShape = describeShape(JSON.parse(bodyText))
  } catch {
    // A body that is not JSON has no shape.
  }
  return { name: recordingName, status: response.status, headers: Object.fromEntries(recordedHeaders), body: bodyShape }
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
export function findDifferences(recordedShape: JsonShape, standInShape: JsonShape, fieldPath = 'body'): string[] {
  if (Array.isArray(recordedShape) && Array.isArray(standInShape)) {
    const [first, other] = [recordedShape[0], standInShape[0]]
    return first === undefined || other === undefined ? [] : findDifferences(first, other, `${fieldPath}[]`)
  }
  if (
    typeof recordedShape === 'object' &&
    typeof standInShape === 'object' &&
    !Array.isArray(recordedShape) &&
    !Array.isArray(standInShape)
  )
    return Object.entries(standInShape).flatMap(([memberName, memberShape]) => {
      const recordedMember = recordedShape[memberName]
      return recordedMember === undefined
        ? [`${fieldPath}.${memberName} is not in the recording`]
        : findDifferences(recordedMember, memberShape, `${fieldPath}.${memberName}`)
    })
  return JSON.stringify(recordedShape) === JSON.stringify(standInShape)
    ? []
    : [`${fieldPath} is ${JSON.stringify(standInShape)}, recorded as ${JSON.stringify(recordedShape)}`]
}
