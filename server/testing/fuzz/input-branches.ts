import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { hostileUnits, repeatToLength } from './hostile-values.ts'

/** The JSON Schema keywords in the contract's inputs. */
interface Shape {
  type?: string
  const?: unknown
  anyOf?: Shape[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  maxItems?: number
  items?: Shape
  properties?: Record<string, Shape>
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

const constantOf = (value: unknown) => fc.constant(value)
const anyUuid = fc.uuid()
const anyDate = fc.date({ min: new Date('1971-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
const timestamps = anyDate.map((date) => date.toISOString())
const OVERLONG_BY = [1, 1000, 100_000]

const validBranch = (name: string, values: fc.Arbitrary<unknown>): SchemaBranch => ({ name, isValid: true, values })
const invalidBranch = (name: string, ...values: unknown[]): SchemaBranch => ({ name, isValid: false, values: fc.constantFrom(...values) })
const jsonOnly = (branch: SchemaBranch): SchemaBranch => ({ ...branch, isJsonOnly: true })

/** Returns a value of each type except `type`. `null` is left out, because it represents a missing field. */
function wrongTypes(type: string): SchemaBranch[] {
  const samples: Record<string, unknown> = { string: 'text', number: 12, boolean: true, object: { a: { b: {} } }, array: [['x']] }
  return Object.entries(samples)
    .filter(([name]) => name !== type && !(type === 'integer' && name === 'number'))
    .map(([name, value]) => jsonOnly(invalidBranch(`${name} in place of ${type}`, value)))
}

function stringBranches(shape: Shape): SchemaBranch[] {
  if (shape.format === 'uuid')
    return [
      validBranch('uuid', anyUuid),
      validBranch(
        'uuid in upper case',
        anyUuid.map((each) => each.toUpperCase()),
      ),
      invalidBranch(
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
      validBranch('timestamp', timestamps),
      validBranch(
        'timestamp with an offset',
        timestamps.map((each) => each.replace('Z', '+14:00')),
      ),
      invalidBranch(
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
  const units = Object.entries(hostileUnits)
  const isRefused = (text: string) => pattern !== undefined && !new RegExp(pattern).test(text)
  return [
    ...(minLength === 0 ? [] : [invalidBranch('empty', '')]),
    validBranch('shortest', constantOf(repeatToLength('x', Math.max(1, minLength)))),
    ...units.map(([name, unit]) => ({
      name: `few: ${name}`,
      // A form encodes a lone surrogate as three bytes, such as `%ED%A0%80`. They are not valid UTF-8, so the parser of forms keeps
      // the nine characters of the escapes as text.
      isValid: isRefused(unit) ? false : !/\p{Cs}/u.test(unit) || maxLength >= 8 * 9 ? true : undefined,
      values: fc.integer({ min: 1, max: Math.min(8, maxLength) }).map((length) => repeatToLength(unit, length)),
    })),
    ...units.map(([name, unit]) => ({
      name: `longest: ${name}`,
      // Some limits count UTF-16 code units, others characters.
      isValid: isRefused(repeatToLength(unit, maxLength))
        ? false
        : /^[^\p{Cs}]{0,100}$/u.test(unit) && repeatToLength(unit, maxLength).length === maxLength
          ? true
          : undefined,
      values: constantOf(repeatToLength(unit, maxLength)),
    })),
    ...units.map(([name, unit]) => ({
      name: `overlong: ${name}`,
      isValid: false,
      values: fc.constantFrom(...OVERLONG_BY).map((extra) => repeatToLength(unit, maxLength + extra)),
    })),
    invalidBranch('null character', 'a\0b', '\0'),
    ...wrongTypes('string'),
  ]
}

function numberBranches({ type = 'number', minimum, maximum }: Shape): SchemaBranch[] {
  const isInteger = type === 'integer'
  return [
    ...(minimum === undefined ? [] : [validBranch('smallest', constantOf(minimum)), invalidBranch('too small', minimum - 1, -1e15)]),
    ...(maximum === undefined
      ? []
      : [validBranch('largest', constantOf(maximum)), invalidBranch('too large', maximum + 1, 999_999_999_999_999)]),
    ...(isInteger ? [invalidBranch('fraction', (minimum ?? 0) + 0.5)] : [validBranch('fraction', constantOf((minimum ?? 0) + 0.25))]),
    invalidBranch('no number', 'NaN', 'Infinity', '1e3', '0x10', ' 1', '1,5', '--1', '١', '9'.repeat(400), `${'0'.repeat(100_000)}1`),
    ...wrongTypes(type),
  ]
}

function objectBranches(shape: Shape, usefulValues: UsefulValues): SchemaBranch[] {
  const fields = Object.entries(shape.properties ?? {})
  const requiredNames = new Set(shape.required ?? [])
  const anyValidObject = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, anyValid(field, name, usefulValues)])))
  const withField = (name: string, values: fc.Arbitrary<unknown>) =>
    fc.tuple(anyValidObject, values).map(([object, value]) => ({ ...object, [name]: value }))
  return fields.flatMap(([name, field]) => [
    ...branchesOf(field, usefulValues).map((branch) => ({
      ...branch,
      name: `${name} ${branch.name}`,
      values: withField(name, branch.values),
    })),
    { name: `${name} missing`, isValid: !requiredNames.has(name), values: withField(name, constantOf(undefined)) },
  ])
}

function arrayBranches({ items = {}, maxItems = 100 }: Shape, usefulValues: UsefulValues): SchemaBranch[] {
  const anyItem = anyValid(items, '', usefulValues)
  const listsOfLength = (length: number) => fc.array(anyItem, { minLength: length, maxLength: length, size: 'max' })
  return [
    validBranch('no items', constantOf([])),
    validBranch('one item', listsOfLength(1)),
    validBranch('most items', listsOfLength(maxItems)),
    { name: 'too many items', isValid: false, values: listsOfLength(maxItems + 1) },
    { name: 'far too many items', isValid: false, values: fc.constantFrom(1, 'x', null).map((each) => Array(60_000).fill(each)) },
    ...branchesOf(items, usefulValues).map((branch) => ({
      ...branch,
      name: `item ${branch.name}`,
      // If an item of a list contains a null character, the server accepts the list and refuses the item.
      ...(branch.name.endsWith('null character') && { isValid: undefined }),
      values: fc.tuple(listsOfLength(1), branch.values).map(([list, value]) => [...list, value]),
    })),
    ...wrongTypes('array'),
  ].map(jsonOnly)
}

/**
 * Returns every branch of a schema: each member of a union, the limits of each range and length with values beyond them, and each wrong
 * type.
 */
function branchesOf(shape: Shape, usefulValues: UsefulValues): SchemaBranch[] {
  const choices = shape.anyOf ?? (shape.const === undefined ? undefined : [shape])
  if (choices !== undefined)
    return [
      ...choices.map(({ const: value }) => validBranch(`is ${String(value)}`, constantOf(value))),
      invalidBranch('no choice', 'none', ` ${String(choices[0]?.const)}`, '__proto__', repeatToLength('x', 100_000)),
      ...wrongTypes('string'),
    ]
  switch (shape.type) {
    case 'string':
      return stringBranches(shape)
    case 'integer':
    case 'number':
      return numberBranches(shape)
    case 'boolean':
      return [
        validBranch('true', constantOf(true)),
        validBranch('false', constantOf(false)),
        invalidBranch('no boolean', 'yes', '1'),
        ...wrongTypes('boolean').filter(({ name }) => !name.startsWith('string')),
      ]
    case 'array':
      return arrayBranches(shape, usefulValues)
    case 'object':
      return [...objectBranches(shape, usefulValues), ...wrongTypes('object').filter(({ name }) => !name.startsWith('array'))]
    default:
      throw new TypeError(`The generator knows no schema of type ${shape.type}`)
  }
}

/** Returns values that a schema accepts. */
function anyValid(shape: Shape, name: string, usefulValues: UsefulValues): fc.Arbitrary<unknown> {
  const namedValues = Object.hasOwn(usefulValues, name) ? usefulValues[name] : undefined
  if (namedValues !== undefined) return namedValues
  if (shape.type === 'object') {
    const fields = Object.entries(shape.properties ?? {})
    return fc.record(Object.fromEntries(fields.map(([key, field]) => [key, anyValid(field, key, usefulValues)])))
  }
  if (shape.type === 'array') return fc.array(anyValid(shape.items ?? {}, '', usefulValues), { maxLength: 3 })
  return fc.oneof(...branchesOf(shape, usefulValues).flatMap(({ isValid, values }) => (isValid === true ? [values] : [])))
}

export interface InputBranch extends SchemaBranch {
  field: string
  /** A complete input: `field` has a value that satisfies this branch of the schema, and the other fields have valid values. */
  inputs: fc.Arbitrary<Record<string, unknown>>
}

/** Returns the branches of every field of an input schema, each with inputs that contain it. */
export function inputBranches(schema: TSchema | undefined, usefulValues: UsefulValues): InputBranch[] {
  // The cast is safe: `Shape` has the keywords with which the contract's schemas are written.
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  const anyOtherFields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, anyValid(field, name, usefulValues)])),
    {
      requiredKeys: required,
    },
  )
  const ofField = (field: string, branch: SchemaBranch): InputBranch => ({
    ...branch,
    field,
    inputs: fc.tuple(anyOtherFields, branch.values).map(([input, value]) => ({ ...input, [field]: value })),
  })
  return Object.entries(properties).flatMap(([name, shape]) => {
    const isRequired = required.includes(name)
    const isList = shape.type === 'array'
    const usefulBranch = validBranch('useful', anyValid(shape, name, usefulValues))
    const branches: SchemaBranch[] = [
      ...branchesOf(shape, usefulValues),
      isList ? jsonOnly(usefulBranch) : usefulBranch,
      { name: 'missing', isValid: !isRequired, values: constantOf(undefined) },
      jsonOnly({ name: 'null', isValid: !isRequired, values: constantOf(null) }),
      ...(isList ? [] : [{ name: 'given twice', isValid: false, values: constantOf(['1', '1']) }]),
      ...(isRequired ? [] : [validBranch('empty and optional', constantOf(''))]),
    ]
    // An optional field that is empty counts as missing, whatever its schema says.
    return branches.filter(({ name: branch }) => isRequired || branch !== 'empty').map((branch) => ofField(name, branch))
  })
}
