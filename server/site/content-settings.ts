import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ContentSettings } from '../../contract/content.ts'

export type ContentKey = keyof ContentSettings

const checks = Object.fromEntries(Object.entries(ContentSettings.properties).map(([key, schema]) => [key, Compile(schema)]))
export const isContentKey = (key: string): key is ContentKey => Object.hasOwn(ContentSettings.properties, key)

/** Parses the text of a setting that holds a long text: HTML, or JSON. Returns undefined if it is invalid. */
export function parseContent<K extends ContentKey>(key: K, text: string): ContentSettings[K] | undefined {
  const schema: TSchema & { type?: unknown } = ContentSettings.properties[key]
  let value: unknown = text
  if (schema.type !== 'string') {
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
  }
  // The cast is safe: the value was checked against the schema of its key.
  return checks[key]?.Check(value) === true ? (value as ContentSettings[K]) : undefined
}
