import { expect, it } from 'vitest'
import { assignStartChunks, type GraphModule } from './start-chunks.ts'

const createGraphModule = (id: string, importedIds: string[] = [], dynamicallyImportedIds: string[] = []): GraphModule => ({
  ...{ id, importedIds, dynamicallyImportedIds, isEntry: id === 'index.html' },
})

const moduleRecords = [
  createGraphModule('index.html', ['entry.ts']),
  createGraphModule('entry.ts', ['global.css', 'next-task.ts'], ['react.js', 'main.tsx']),
  createGraphModule('global.css'),
  createGraphModule('next-task.ts'),
  createGraphModule('react.js', ['scheduler.js']),
  createGraphModule('scheduler.js'),
  createGraphModule('main.tsx', ['react.js', 'next-task.ts', 'router.ts'], ['database.ts']),
  createGraphModule('router.ts', ['routes.tsx'], ['page.tsx']),
  createGraphModule('routes.tsx'),
  createGraphModule('database.ts', ['router.ts', 'dexie.js']),
  createGraphModule('dexie.js'),
  createGraphModule('page.tsx', ['card.tsx']),
  createGraphModule('card.tsx'),
]

it('assigns each module to the first step of the start that imports it statically', () => {
  expect(Object.fromEntries(assignStartChunks(moduleRecords))).toEqual({
    'global.css': 0,
    'next-task.ts': 0,
    'scheduler.js': 1,
    'react.js': 2,
    'router.ts': 2,
    'routes.tsx': 2,
  })
})

it('leaves scripts, the modules that they import on demand, and modules behind another import() in chunks of their own', () => {
  const assigned = assignStartChunks(moduleRecords)
  for (const id of ['index.html', 'entry.ts', 'main.tsx', 'database.ts', 'dexie.js', 'page.tsx', 'card.tsx'])
    expect(assigned.has(id), id).toBe(false)
})

it('adds the modules that all given routes import statically to the last step', () => {
  const modulesOfTwoPages = [
    ...moduleRecords,
    createGraphModule('other-page.tsx', ['card.tsx', 'form.tsx', 'routes.tsx']),
    createGraphModule('form.tsx'),
  ]
  const chunkIndexByModuleId = assignStartChunks(modulesOfTwoPages, [/^page\.tsx$/, /other-page\.tsx$/])
  expect(chunkIndexByModuleId.get('card.tsx')).toBe(2)
  expect(chunkIndexByModuleId.has('form.tsx')).toBe(false)
  expect(chunkIndexByModuleId.has('page.tsx')).toBe(false)
})
