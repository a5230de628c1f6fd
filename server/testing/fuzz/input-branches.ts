import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { hostileUnits, repeatToLength } from './hostile-values.ts'

/** The JSON Schema keywords in the contract's inputs. */
interface SchemaShape {
  type?: string
  const?: unknown
  anyOf?: SchemaShape[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  maxItems?: number
  items?: SchemaShape
  properties?: Record<string, SchemaShape>
  required?: string[]
}

/** One kind of value for one field of an input, with values of that kind. The value `undefined` omits the field. */
export interface SchemaBranch {
  name: string
  /** Whether the server accepts the values, or undefined if the schema does not determine it. */
  isValid: boolean | undefined
  /** Whether only JSON can express the values. Forms and queries contain only texts. */
  isJsonOnly?: true
  values: fc.Arbitrary<unknown>
}

/** Values that have a meaning for the server, by the name of the field. A field without an entry gets any value that its schema accepts. */
export type UsefulValues = Readonly<Record<string, fc.Arbitrary<unknown>>>

const createConstant = (value: unknown) => fc.constant(value)
const anyUuid = fc.uuid()
const anyDate = fc.date({ min: new Date('1971-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
const anyTimestamp = anyDate.map((date) => date.toISOString())
const EXCESS_LENGTHS = [1, 1000, 100_000]

const createValidBranch = (name: string, values: fc.Arbitrary<unknown>): SchemaBranch => ({ name, isValid: true, values })
const createInvalidBranch = (name: string, ...invalidValues: unknown[]): SchemaBranch => ({
  name,
  isValid: false,
  values: fc.constantFrom(...invalidValues),
})
const markJsonOnly = (branch: SchemaBranch): SchemaBranch => ({ ...branch, isJsonOnly: true })

/** Returns a value of each type except `schemaType`. `null` is left out, because it represents a missing field. */
function createWrongTypeBranches(schemaType: string): SchemaBranch[] {
  const sampleByType: Record<string, unknown> = { string: 'text', number: 12, boolean: true, object: { a: { b: {} } }, array: [['x']] }
  return Object.entries(sampleByType)
    .filter(([name]) => name !== schemaType && !(schemaType === 'integer' && name === 'number'))
    .map(([name, value]) => markJsonOnly(createInvalidBranch(`${name} in place of ${schemaType}`, value)))
}

function createStringBranches(shape: SchemaShape): SchemaBranch[] {
  if (shape.format === 'uuid')
    return [
      createValidBranch('uuid', anyUuid),
      createValidBranch(
        'uuid in upper case',
        anyUuid.map((each) => each.toUpperCase()),
      ),
      createInvalidBranch(
        'no uuid',
        'x',
        '0b9a7c0e',
        '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c\n',
        '{0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c}',
        '\u0660'.repeat(36),
      ),
    ]
  if (shape.format === 'date-time')
    return [
      createValidBranch('timestamp', anyTimestamp),
      createValidBranch(
        'timestamp with an offset',
        anyTimestamp.map((each) => each.replace('Z', '+14:00')),
      ),
      createInvalidBranch(
        'no timestamp',
        'now',
        '2026-13-01T00:00:00Z',
        '2026-02-30T25:00:00Z',
        '1e9',
        '2026-01-01',
        `${'9'.repeat(5000)}-01-01T00:00:00Z`,
      ),
    ]
  const { minLength = 0, maxLength = 500, pattern } = shape
  const namedUnits = Object.entries(hostileUnits)
  const isRefused = (text: string) => pattern !== undefined && !new RegExp(pattern).test(text)
  return [
    ...(minLength === 0 ? [] : [createInvalidBranch('empty', '')]),
    createValidBranch('shortest', createConstant(repeatToLength('x', Math.max(1, minLength)))),
    ...namedUnits.map(([unitName, hostileUnit]) => ({
      name: `few: ${unitName}`,
      // A form encodes a lone surrogate as three bytes, such as `%ED%A0%80`. They are not valid UTF-8, so the parser of forms keeps
      // the nine characters of the escapes as text.
      isValid: isRefused(hostileUnit) ? false : !/\p{Cs}/u.test(hostileUnit) || maxLength >= 8 * 9 ? true : undefined,
      values: fc.integer({ min: 1, max: Math.min(8, maxLength) }).map((length) => repeatToLength(hostileUnit, length)),
    })),
    ...namedUnits.map(([unitName, hostileUnit]) => ({
      name: `longest: ${unitName}`,
      // Some limits count UTF-16 code units, others characters.
      isValid: isRefused(repeatToLength(hostileUnit, maxLength))
        ? false
        : /^[^\p{Cs}]{0,100}$/u.test(hostileUnit) && repeatToLength(hostileUnit, maxLength).length === maxLength
          ? true
          : undefined,
      values: createConstant(repeatToLength(hostileUnit, maxLength)),
    })),
    ...namedUnits.map(([unitName, hostileUnit]) => ({
      name: `overlong: ${unitName}`,
      isValid: false,
      values: fc.constantFrom(...EXCESS_LENGTHS).map((extra) => repeatToLength(hostileUnit, maxLength + extra)),
    })),
    createInvalidBranch('null character', 'a\0b', '\0'),
    ...createWrongTypeBranches('string'),
  ]
}

function createNumberBranches({ type = 'number', minimum, maximum }: SchemaShape): SchemaBranch[] {
  const isInteger = type === 'integer'
  return [
    ...(minimum === undefined
      ? []
      : [createValidBranch('smallest', createConstant(minimum)), createInvalidBranch('too small', minimum - 1, -1e15)]),
    ...(maximum === undefined
      ? []
      : [createValidBranch('largest', createConstant(maximum)), createInvalidBranch('too large', maximum + 1, 999_999_999_999_999)]),
    ...(isInteger
      ? [createInvalidBranch('fraction', (minimum ?? 0) + 0.5)]
      : [createValidBranch('fraction', createConstant((minimum ?? 0) + 0.25))]),
    createInvalidBranch('no number', 'NaN', 'Infinity', '1e3', '0x10', ' 1', '1,5', '--1', '١', '9'.repeat(400), `${'0'.repeat(100_000)}1`),
    ...createWrongTypeBranches(type),
  ]
}

function createObjectBranches(shape: SchemaShape, usefulValues: UsefulValues): SchemaBranch[] {
  const schemaFields = Object.entries(shape.properties ?? {})
  const requiredNames = new Set(shape.required ?? [])
  const anyValidObject = fc.record(
    Object.fromEntries(schemaFields.map(([name, field]) => [name, createAnyValid(field, name, usefulValues)])),
  )
  const createObjectsWithField = (name: string, values: fc.Arbitrary<unknown>) =>
    fc.tuple(anyValidObject, values).map(([object, value]) => ({ ...object, [name]: value }))
  return schemaFields.flatMap(([fieldName, fieldSchema]) => [
    ...createBranches(fieldSchema, usefulValues).map((fieldBranch) => ({
      ...fieldBranch,
      name: `${fieldName} ${fieldBranch.name}`,
      values: createObjectsWithField(fieldName, fieldBranch.values),
    })),
    {
      name: `${fieldName} missing`,
      isValid: !requiredNames.has(fieldName),
      values: createObjectsWithField(fieldName, createConstant(undefined)),
    },
  ])
}

function createArrayBranches({ items = {}, maxItems = 100 }: SchemaShape, usefulValues: UsefulValues): SchemaBranch[] {
  const anyItem = createAnyValid(items, '', usefulValues)
  const createListsOfLength = (length: number) => fc.array(anyItem, { minLength: length, maxLength: length, size: 'max' })
  return [
    createValidBranch('no items', createConstant([])),
    createValidBranch('one item', createListsOfLength(1)),
    createValidBranch('most items', createListsOfLength(maxItems)),
    { name: 'too many items', isValid: false, values: createListsOfLength(maxItems + 1) },
    { name: 'far too many items', isValid: false, values: fc.constantFrom(1, 'x', null).map((each) => Array(60_000).fill(each)) },
    ...createBranches(items, usefulValues).map((itemBranch) => ({
      ...itemBranch,
      name: `item ${itemBranch.name}`,
      // If an item of a list contains a null character, the server accepts the list and refuses the item.
      ...(itemBranch.name.endsWith('null character') && { isValid: undefined }),
      values: fc.tuple(createListsOfLength(1), itemBranch.values).map(([list, value]) => [...list, value]),
    })),
    ...createWrongTypeBranches('array'),
  ].map(markJsonOnly)
}

/**
 * Returns every branch of a schema: each member of a union, the limits of each range and length with values beyond them, and each wrong
 * type.
 */
function createBranches(shape: SchemaShape, usefulValues: UsefulValues): SchemaBranch[] {
  const allowedChoices = shape.anyOf ?? (shape.const === undefined ? undefined : [shape])
  if (allowedChoices !== undefined)
    return [
      ...allowedChoices.map(({ const: value }) => createValidBranch(`is ${String(value)}`, createConstant(value))),
      createInvalidBranch('no choice', 'none', ` ${String(allowedChoices[0]?.const)}`, '__proto__', repeatToLength('x', 100_000)),
      ...createWrongTypeBranches('string'),
    ]
  switch (shape.type) {
    case 'string':
      return createStringBranches(shape)
    case 'integer':
    case 'number':
      return createNumberBranches(shape)
    case 'boolean':
      return [
        createValidBranch('true', createConstant(true)),
        createValidBranch('false', createConstant(false)),
        createInvalidBranch('no boolean', 'yes', '1'),
        ...createWrongTypeBranches('boolean').filter(({ name }) => !name.startsWith('string')),
      ]
    case 'array':
      return createArrayBranches(shape, usefulValues)
    case 'object':
      return [
        ...createObjectBranches(shape, usefulValues),
        ...createWrongTypeBranches('object').filter(({ name }) => !name.startsWith('array')),
      ]
    default:
      throw new TypeError(`The generator knows no schema of type ${shape.type}`)
  }
}

/** Returns values that a schema accepts. */
function createAnyValid(shape: SchemaShape, fieldName: string, usefulValues: UsefulValues): fc.Arbitrary<unknown> {
  const namedValues = Object.hasOwn(usefulValues, fieldName) ? usefulValues[fieldName] : undefined
  if (namedValues !== undefined) return namedValues
  if (shape.type === 'object') {
    const fields = Object.entries(shape.properties ?? {})
    return fc.record(Object.fromEntries(fields.map(([key, field]) => [key, createAnyValid(field, key, usefulValues)])))
  }
  if (shape.type === 'array') return fc.array(createAnyValid(shape.items ?? {}, '', usefulValues), { maxLength: 3 })
  return fc.oneof(...createBranches(shape, usefulValues).flatMap(({ isValid, values }) => (isValid === true ? [values] : [])))
}

export interface InputBranch extends SchemaBranch {
  field: string
  /** A complete input: `field` has a value that satisfies this branch of the schema, and the other fields have valid values. */
  inputs: fc.Arbitrary<Record<string, unknown>>
}

/** Returns the branches of every field of an input schema, each with inputs that contain it. */
export function createInputBranches(schema: TSchema | undefined, usefulValues: UsefulValues): InputBranch[] {
  // The cast is safe: `SchemaShape` has the keywords with which the contract's schemas are written.
  const { properties = {}, required = [] } = (schema ?? {}) as SchemaShape
  const anyOtherFields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, createAnyValid(field, name, usefulValues)])),
    {
      requiredKeys: required,
    },
  )
  const createFieldBranch = (fieldName: string, branch: SchemaBranch): InputBranch => ({
    ...branch,
    field: fieldName,
    inputs: fc.tuple(anyOtherFields, branch.values).map(([input, value]) => ({ ...input, [fieldName]: value })),
  })
  return Object.entries(properties).flatMap(([fieldName, fieldSchema]) => {
    const isRequired = required.includes(fieldName)
    const isList = fieldSchema.type === 'array'
    const usefulBranch = createValidBranch('useful', createAnyValid(fieldSchema, fieldName, usefulValues))
    const schemaBranches: SchemaBranch[] = [
      ...createBranches(fieldSchema, usefulValues),
      isList ? markJsonOnly(usefulBranch) : usefulBranch,
      { name: 'missing', isValid: !isRequired, values: createConstant(undefined) },
      markJsonOnly({ name: 'null', isValid: !isRequired, values: createConstant(null) }),
      ...(isList ? [] : [{ name: 'given twice', isValid: false, values: createConstant(['1', '1']) }]),
      ...(isRequired ? [] : [createValidBranch('empty and optional', createConstant(''))]),
    ]
    // An optional field that is empty counts as missing, whatever its schema says.
    return schemaBranches
      .filter(({ name: branch }) => isRequired || branch !== 'empty')
      .map((branch) => createFieldBranch(fieldName, branch))
  })
}
