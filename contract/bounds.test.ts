import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ContentSettings } from './content.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { importRowSchemas } from './import.ts'
import { Settings } from './site.ts'

/** Returns the paths of the strings, lists and records of a schema that have no maximum. */
function unboundedPaths(schema: unknown, fieldPath: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    type,
    const: constant,
    maxLength,
    maxItems,
    maxProperties,
    properties,
    patternProperties,
    items,
    anyOf,
  } = schema as Record<string, unknown>
  const isUnbounded =
    (type === 'string' && constant === undefined && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined) ||
    (patternProperties !== undefined && maxProperties === undefined)
  const members = Object.entries(properties ?? {}).flatMap(([name, property]) => unboundedPaths(property, `${fieldPath}.${name}`))
  const choices = Array.isArray(anyOf) ? anyOf.flatMap((choice) => unboundedPaths(choice, fieldPath)) : []
  return [...(isUnbounded ? [fieldPath] : []), ...members, ...unboundedPaths(items, `${fieldPath}[]`), ...choices]
}

const inputs = Object.entries(endpoints).flatMap(([name, { query, body }]: [string, Endpoint]): [string, TSchema][] => [
  ...(query === undefined ? [] : [[name, query] satisfies [string, TSchema]]),
  ...(body === undefined ? [] : [[name, body] satisfies [string, TSchema]]),
])

describe('bounds of the contract', () => {
  it.each([
    ...inputs,
    ...Object.entries(importRowSchemas),
    ['settings', Settings] satisfies [string, TSchema],
    ['long texts', ContentSettings] satisfies [string, TSchema],
  ])('%s: every text and list has a maximum', (_name, schema) => {
    expect(unboundedPaths(schema, '')).toEqual([])
  })

  it('bounds: in a schema, texts, lists and records without a maximum length are found', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        record: { type: 'object', patternProperties: {} },
      },
    }
    expect(unboundedPaths(schema, '')).toEqual(['.text', '.list', '.list[]', '.record'])
  })
})
