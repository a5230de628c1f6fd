import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ContentSettings } from './content.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { importRowSchemas } from './import.ts'
import { Settings } from './site.ts'

/** Returns the paths of the strings, lists and records of a schema that have no maximum. */
function listUnboundedPaths(schema: unknown, fieldPath: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    type,
    const: constValue,
    maxLength,
    maxItems,
    maxProperties,
    properties,
    patternProperties,
    items,
    anyOf,
  } = schema as Record<string, unknown>
  const isUnboundedSchema =
    (type === 'string' && constValue === undefined && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined) ||
    (patternProperties !== undefined && maxProperties === undefined)
  const members = Object.entries(properties ?? {}).flatMap(([name, property]) => listUnboundedPaths(property, `${fieldPath}.${name}`))
  const choices = Array.isArray(anyOf) ? anyOf.flatMap((choice) => listUnboundedPaths(choice, fieldPath)) : []
  return [...(isUnboundedSchema ? [fieldPath] : []), ...members, ...listUnboundedPaths(items, `${fieldPath}[]`), ...choices]
}

const endpointInputs = Object.entries(endpoints).flatMap(([endpointKey, { query, body }]: [string, Endpoint]): [string, TSchema][] => [
  ...(query === undefined ? [] : [[endpointKey, query] satisfies [string, TSchema]]),
  ...(body === undefined ? [] : [[endpointKey, body] satisfies [string, TSchema]]),
])

describe('bounds of the contract', () => {
  it.each([
    ...endpointInputs,
    ...Object.entries(importRowSchemas),
    ['settings', Settings] satisfies [string, TSchema],
    ['long texts', ContentSettings] satisfies [string, TSchema],
  ])('%s: every text and list has a maximum', (_name, schema) => {
    expect(listUnboundedPaths(schema, '')).toEqual([])
  })

  it('bounds: in a schema, texts, lists and records without a maximum length are found', () => {
    const testSchema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        record: { type: 'object', patternProperties: {} },
      },
    }
    expect(listUnboundedPaths(testSchema, '')).toEqual(['.text', '.list', '.list[]', '.record'])
  })
})
