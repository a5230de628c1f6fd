import { IsObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../../contract/errors.ts'

export type Parsed = { value: Record<string, unknown> } | { error: ApiError }

/** The parts of a JSON schema that messages and conversions need. */
interface Shape {
  type?: string
  const?: unknown
  anyOf?: Shape[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
}

/** Why a value was refused, as the rest of a sentence that starts with the field's name. */
function reason(shape: Shape, value: unknown): string {
  const choices = shape.anyOf?.every((each) => each.const !== undefined) ? shape.anyOf : shape.const === undefined ? undefined : [shape]
  if (choices !== undefined) return `must be one of ${choices.map((each) => String(each.const)).join(', ')}`
  if (shape.type === 'integer') return `must be a whole number from ${shape.minimum ?? 0} to ${shape.maximum ?? Number.MAX_SAFE_INTEGER}`
  if (shape.type === 'number' && shape.minimum !== undefined) return `must be a number from ${shape.minimum} to ${shape.maximum ?? 'any'}`
  if (shape.type === 'string' && typeof value === 'string') {
    if (shape.minLength !== undefined && value.length < shape.minLength) return 'must not be empty'
    if (shape.maxLength !== undefined && value.length > shape.maxLength) return `must have at most ${shape.maxLength} characters`
    return 'has the wrong format'
  }
  if (Array.isArray(value) && shape.maxItems !== undefined && value.length > shape.maxItems)
    return `must have at most ${shape.maxItems} entries`
  if (shape.type === undefined) return 'has a wrong value'
  return `must be ${shape.type === 'array' ? 'a list' : shape.type === 'object' ? 'an object' : `a ${shape.type}`}`
}

/** Which field within `value` is wrong and why, after the name of the whole, for instance `[3].at has the wrong format`. */
function fault(whole: Shape, value: unknown, path: string): string {
  let shape = whole
  let inner = value
  let name = ''
  for (const key of path.split('/').slice(1)) {
    const next = shape.items ?? shape.properties?.[key]
    if (next === undefined || typeof inner !== 'object' || inner === null) break
    name += shape.items === undefined ? `.${key}` : `[${key}]`
    shape = next
    inner = Reflect.get(inner, key)
  }
  const fields = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.keys(inner) : undefined
  const missing = fields && shape.required?.find((key) => !fields.includes(key))
  return missing === undefined ? `${name} ${reason(shape, inner)}` : `${name}.${missing} is required`
}

/** Numbers and booleans arrive as text from a query or a form. */
function converted(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if ((shape.type === 'integer' || shape.type === 'number') && /^-?\d{1,15}(?:\.\d+)?$/.test(value)) return Number(value)
  if (shape.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/**
 * A check of queries and bodies by an object schema. What the schema does not name is left out; an optional field that
 * is empty counts as not given, as forms send it. An error's message starts with the name of the field.
 */
export function createInputParser(schema: TSchema): (raw: unknown) => Parsed {
  if (!IsObject(schema)) throw new TypeError('An input schema must be an object')
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const validator = Compile(property)
    const problem = (value: unknown) =>
      validator.Check(value) ? undefined : fault(property as Shape, value, validator.Errors(value)[0]?.instancePath ?? '')
    return { name, shape: property as Shape, required: required.has(name), problem }
  })
  return (raw) => {
    const given: object = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}
    const value: Record<string, unknown> = {}
    for (const { name, shape, required, problem } of fields) {
      const entry: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined
      if (entry === undefined || entry === null || (entry === '' && !required)) {
        if (required) return { error: new ApiError('bad-input', `${name} is required`) }
        continue
      }
      if (Array.isArray(entry) && shape.type !== 'array') return { error: new ApiError('bad-input', `${name} must be given once`) }
      if (typeof entry === 'string' && entry.includes('\0'))
        return { error: new ApiError('bad-input', `${name} must not hold a null character`) }
      const candidate = converted(shape, entry)
      const why = problem(candidate)
      if (why !== undefined) return { error: new ApiError('bad-input', `${name}${why}`) }
      value[name] = candidate
    }
    return { value }
  }
}
