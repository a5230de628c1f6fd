import { expect, it } from 'vitest'
import { assignStartChunks, type GraphModule } from './start-chunks.ts'

const graphModule = (id: string, importedIds: string[] = [], dynamicallyImportedIds: string[] = []): GraphModule => ({
  ...{ id, importedIds, dynamicallyImportedIds, isEntry: id === 'index.html' },
})

const modules = [
  graphModule('index.html', ['entry.ts']),
  graphModule('entry.ts', ['global.css', 'next-task.ts'], ['react.js', 'main.tsx']),
  graphModule('global.css'),
  graphModule('next-task.ts'),
  graphModule('react.js', ['scheduler.js']),
  graphModule('scheduler.js'),
  graphModule('main.tsx', ['react.js', 'next-task.ts', 'router.ts'], ['database.ts']),
  graphModule('router.ts', ['routes.tsx'], ['page.tsx']),
  graphModule('routes.tsx'),
  graphModule('database.ts', ['router.ts', 'dexie.js']),
  graphModule('dexie.js'),
  graphModule('page.tsx', ['card.tsx']),
  graphModule('card.tsx'),
]

it('assigns each module to the first step of the start that imports it statically', () => {
  expect(Object.fromEntries(assignStartChunks(modules))).toEqual({
    'global.css': 0,
    'next-task.ts': 0,
    'scheduler.js': 1,
    'react.js': 2,
    'router.ts': 2,
    'routes.tsx': 2,
  })
})

it('leaves scripts, the modules that they import on demand, and modules behind another import() in chunks of their own', () => {
  const assigned = assignStartChunks(modules)
  for (const id of ['index.html', 'entry.ts', 'main.tsx', 'database.ts', 'dexie.js', 'page.tsx', 'card.tsx'])
    expect(assigned.has(id), id).toBe(false)
})

it('adds the modules that all given routes import statically to the last step', () => {
  const modulesOfTwoPages = [...modules, graphModule('other-page.tsx', ['card.tsx', 'form.tsx', 'routes.tsx']), graphModule('form.tsx')]
  const chunkOfModule = assignStartChunks(modulesOfTwoPages, [/^page\.tsx$/, /other-page\.tsx$/])
  expect(chunkOfModule.get('card.tsx')).toBe(2)
  expect(chunkOfModule.has('form.tsx')).toBe(false)
  expect(chunkOfModule.has('page.tsx')).toBe(false)
})
