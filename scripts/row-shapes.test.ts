import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { Song } from '../contract/song.ts'
import { generateRowShapes, ROW_SHAPES_FILE, storedSchemas } from './generate-row-shapes.ts'
import { root } from './node-version.mjs'

const committedText = readFileSync(join(root, ROW_SHAPES_FILE), 'utf8')

it('row shapes: the generated file follows from the contract', () => {
  expect(generateRowShapes(), 'run npm run generate').toBe(committedText)
})

it('row shapes: a changed schema is found', () => {
  const song = Type.Object({ ...Song.properties, mood: Type.String() })
  expect(generateRowShapes({ ...storedSchemas, song })).not.toBe(committedText)
})

it('row shapes: a schema for which no check can be generated is refused, and the error names its place', () => {
  expect(() => generateRowShapes({ song: Type.Object({ tags: Type.Record(Type.String(), Type.String()) }) })).toThrow('song.tags')
})
