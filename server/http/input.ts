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
function describeConstraint(fieldSchema: FieldSchema, fieldValue: unknown): string {
  const allowedChoices = fieldSchema.anyOf?.every((each) => each.const !== undefined)
    ? fieldSchema.anyOf
    : fieldSchema.const === undefined
      ? undefined
      : [fieldSchema]
  if (allowedChoices !== undefined) return `must be one of ${allowedChoices.map((each) => String(each.const)).join(', ')}`
  if (fieldSchema.type === 'integer')
    return `must be a whole number from ${fieldSchema.minimum ?? 0} to ${fieldSchema.maximum ?? Number.MAX_SAFE_INTEGER}`
  if (fieldSchema.type === 'number' && fieldSchema.minimum !== undefined)
    return `must be a number from ${fieldSchema.minimum} to ${fieldSchema.maximum ?? 'any'}`
  if (fieldSchema.type === 'string' && typeof fieldValue === 'string') {
    if (fieldSchema.minLength !== undefined && fieldValue.length < fieldSchema.minLength) return 'must not be empty'
    if (fieldSchema.maxLength !== undefined && fieldValue.length > fieldSchema.maxLength)
      return `must have at most ${fieldSchema.maxLength} characters`
    return 'has the wrong format'
  }
  if (Array.isArray(fieldValue) && fieldSchema.maxItems !== undefined && fieldValue.length > fieldSchema.maxItems)
    return `must have at most ${fieldSchema.maxItems} entries`
  if (fieldSchema.type === undefined) return 'has a wrong value'
  return `must be ${fieldSchema.type === 'array' ? 'a list' : fieldSchema.type === 'object' ? 'an object' : `a ${fieldSchema.type}`}`
}

/** Returns the path of the invalid field below `inputValue` and why it is invalid, for instance `[3].at has the wrong format`. */
function describeError(rootSchema: FieldSchema, inputValue: unknown, fieldPath: string): string {
  let fieldSchema = rootSchema
  let innerValue = inputValue
  let fieldName = ''
  for (const pathKey of fieldPath.split('/').slice(1)) {
    const innerShape = fieldSchema.items ?? fieldSchema.properties?.[pathKey]
    if (innerShape === undefined || typeof innerValue !== 'object' || innerValue === null) break
    fieldName += fieldSchema.items === undefined ? `.${pathKey}` : `[${pathKey}]`
    fieldSchema = innerShape
    innerValue = Reflect.get(innerValue, pathKey)
  }
  const fieldNames =
    typeof innerValue === 'object' && innerValue !== null && !Array.isArray(innerValue) ? Object.keys(innerValue) : undefined
  const missingField = fieldNames && fieldSchema.required?.find((key) => !fieldNames.includes(key))
  return missingField === undefined
    ? `${fieldName} ${describeConstraint(fieldSchema, innerValue)}`
    : `${fieldName}.${missingField} is required`
}

function parseJsonText(jsonText: string): unknown {
  try {
    return JSON.parse(jsonText)
  } catch {
    return jsonText
  }
}

/** Converts a form field to a list: the field is either one JSON text or a repeated field, of which each entry may be a JSON text. */
function convertList(fieldSchema: FieldSchema, fieldValue: unknown): unknown {
  const parsedValue = typeof fieldValue === 'string' && /^[[{]/.test(fieldValue) ? parseJsonText(fieldValue) : fieldValue
  if (typeof parsedValue !== 'object') return parsedValue
  const entries: readonly unknown[] = Array.isArray(parsedValue) ? parsedValue : [parsedValue]
  // The entries of a list that is too long are not converted, because the list is refused.
  if (fieldSchema.items?.type !== 'object' || entries.length > (fieldSchema.maxItems ?? Number.POSITIVE_INFINITY)) return entries
  return entries.map((entry: unknown) => (typeof entry === 'string' ? parseJsonText(entry) : entry))
}

/** Converts the text of a query or form field to a number, boolean or list, if the schema requires one. */
function convertField(fieldSchema: FieldSchema, fieldValue: unknown): unknown {
  if (fieldSchema.type === 'array' && (typeof fieldValue === 'string' || Array.isArray(fieldValue)))
    return convertList(fieldSchema, fieldValue)
  if (typeof fieldValue !== 'string') return fieldValue
  if ((fieldSchema.type === 'integer' || fieldSchema.type === 'number') && /^-?\d{1,15}(?:\.\d+)?$/.test(fieldValue))
    return Number(fieldValue)
  if (fieldSchema.type === 'boolean' && (fieldValue === 'true' || fieldValue === 'false')) return fieldValue === 'true'
  return fieldValue
}

/** Replaces lone surrogates in all texts of a valid value by U+FFFD: SQLite would store each as bytes that are read as three characters. */
function toWellFormed(inputValue: unknown): unknown {
  if (typeof inputValue === 'string') return inputValue.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(inputValue)) return inputValue.map(toWellFormed)
  if (typeof inputValue !== 'object' || inputValue === null) return inputValue
  return Object.fromEntries(Object.entries(inputValue).map(([key, each]) => [key, toWellFormed(each)]))
}

/** The compiled validators of the fields that were sent so far. Compiling those of all endpoints would slow the start. */
const validatorBySchema = new WeakMap<TSchema, Validator>()
function getOrCompileValidator(fieldSchema: TSchema): Validator {
  const existingValidator = validatorBySchema.get(fieldSchema)
  if (existingValidator !== undefined) return existingValidator
  const newValidator = Compile(fieldSchema)
  validatorBySchema.set(fieldSchema, newValidator)
  return newValidator
}

/**
 * Creates a parser of queries and bodies for an object schema. It drops unknown fields and, since forms send empty fields, treats an
 * empty optional field as missing. Error messages start with the field's name.
 */
export function createInputParser(schema: TSchema): (raw: unknown) => ParsedInput {
  if (!IsObject(schema)) throw new TypeError('An input schema must be an object')
  const requiredFields = new Set(schema.required ?? [])
  const fieldParsers = Object.entries(schema.properties).map(([fieldName, fieldSchema]) => {
    const fieldShape = fieldSchema as FieldSchema
    const findFieldError = (fieldValue: unknown) => {
      // The length of lists is checked first, because `Errors` would collect the errors of all entries of a list.
      if (Array.isArray(fieldValue) && fieldShape.maxItems !== undefined && fieldValue.length > fieldShape.maxItems)
        return describeError(fieldShape, fieldValue, '')
      const fieldValidator = getOrCompileValidator(fieldSchema)
      return fieldValidator.Check(fieldValue)
        ? undefined
        : describeError(fieldShape, fieldValue, fieldValidator.Errors(fieldValue)[0]?.instancePath ?? '')
    }
    return { name: fieldName, shape: fieldShape, required: requiredFields.has(fieldName), errorOf: findFieldError }
  })
  return (givenInput) => {
    const rawInput: object = typeof givenInput === 'object' && givenInput !== null && !Array.isArray(givenInput) ? givenInput : {}
    const parsedFields: Record<string, unknown> = {}
    for (const { name, shape, required: isRequired, errorOf } of fieldParsers) {
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
      parsedFields[name] = toWellFormed(convertedValue)
    }
    return { value: parsedFields }
  }
}
