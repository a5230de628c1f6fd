import { IsObject, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { ApiError } from '../../contract/errors.ts'

export type ParsedInput = { value: Record<string, unknown> } | { error: ApiError }

/** The JSON Schema keywords that error messages and conversions read. */
interface FieldSchema {
  type?: string
  const?: unknown
  anyOf?: FieldSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
}

/** Returns why a value is invalid, as the end of a sentence that begins with the field's name. */
function describeConstraint(shape: FieldSchema, value: unknown): string {
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

/** Returns the path of the invalid field below `value` and why it is invalid, for instance `[3].at has the wrong format`. */
function describeError(root: FieldSchema, value: unknown, fieldPath: string): string {
  let shape = root
  let innerValue = value
  let name = ''
  for (const key of fieldPath.split('/').slice(1)) {
    const innerShape = shape.items ?? shape.properties?.[key]
    if (innerShape === undefined || typeof innerValue !== 'object' || innerValue === null) break
    name += shape.items === undefined ? `.${key}` : `[${key}]`
    shape = innerShape
    innerValue = Reflect.get(innerValue, key)
  }
  const fieldNames =
    typeof innerValue === 'object' && innerValue !== null && !Array.isArray(innerValue) ? Object.keys(innerValue) : undefined
  const missingField = fieldNames && shape.required?.find((key) => !fieldNames.includes(key))
  return missingField === undefined ? `${name} ${describeConstraint(shape, innerValue)}` : `${name}.${missingField} is required`
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Converts a form field to a list: the field is either one JSON text or a repeated field, of which each entry may be a JSON text. */
function convertList(shape: FieldSchema, value: unknown): unknown {
  const parsedValue = typeof value === 'string' && /^[[{]/.test(value) ? parseJsonText(value) : value
  const entries = typeof parsedValue === 'object' ? [parsedValue].flat() : parsedValue
  if (!Array.isArray(entries) || shape.items?.type !== 'object') return entries
  return entries.map((entry: unknown) => (typeof entry === 'string' ? parseJsonText(entry) : entry))
}

/** Converts the text of a query or form field to a number, boolean or list, if the schema requires one. */
function convertField(shape: FieldSchema, value: unknown): unknown {
  if (shape.type === 'array' && (typeof value === 'string' || Array.isArray(value))) return convertList(shape, value)
  if (typeof value !== 'string') return value
  if ((shape.type === 'integer' || shape.type === 'number') && /^-?\d{1,15}(?:\.\d+)?$/.test(value)) return Number(value)
  if (shape.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Replaces lone surrogates in all texts of a valid value by U+FFFD: SQLite would store each as bytes that are read as three characters. */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWellFormed(each)]))
}

/** The compiled validators of the fields that were sent so far. Compiling those of all endpoints would slow the start. */
const validators = new WeakMap<TSchema, Validator>()
function validatorOf(property: TSchema): Validator {
  const existingValidator = validators.get(property)
  if (existingValidator !== undefined) return existingValidator
  const validator = Compile(property)
  validators.set(property, validator)
  return validator
}

/**
 * Creates a parser of queries and bodies for an object schema. It drops unknown fields and, since forms send empty fields, treats an
 * empty optional field as missing. Error messages start with the field's name.
 */
export function createInputParser(schema: TSchema): (raw: unknown) => ParsedInput {
  if (!IsObject(schema)) throw new TypeError('An input schema must be an object')
  const requiredFields = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const shape = property as FieldSchema
    const errorOf = (value: unknown) => {
      // The length of lists is checked first, because `Errors` would collect the errors of all entries of a list.
      if (Array.isArray(value) && shape.maxItems !== undefined && value.length > shape.maxItems) return describeError(shape, value, '')
      const validator = validatorOf(property)
      return validator.Check(value) ? undefined : describeError(shape, value, validator.Errors(value)[0]?.instancePath ?? '')
    }
    return { name, shape, required: requiredFields.has(name), errorOf }
  })
  return (givenInput) => {
    const rawInput: object = typeof givenInput === 'object' && givenInput !== null && !Array.isArray(givenInput) ? givenInput : {}
    const value: Record<string, unknown> = {}
    for (const { name, shape, required: isRequired, errorOf } of fields) {
      const rawValue: unknown = Object.hasOwn(rawInput, name) ? Reflect.get(rawInput, name) : undefined
      if (rawValue === undefined || rawValue === null || (rawValue === '' && !isRequired)) {
        if (isRequired) return { error: new ApiError('bad-input', `${name} is required`) }
        continue
      }
      if (Array.isArray(rawValue) && shape.type !== 'array') return { error: new ApiError('bad-input', `${name} must be given once`) }
      if (typeof rawValue === 'string' && rawValue.includes('\0'))
        return { error: new ApiError('bad-input', `${name} must not hold a null character`) }
      const convertedValue = convertField(shape, rawValue)
      const error = errorOf(convertedValue)
      if (error !== undefined) return { error: new ApiError('bad-input', `${name}${error}`) }
      value[name] = toWellFormed(convertedValue)
    }
    return { value }
  }
}
