import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { ContentDocument } from '../../../contract/content.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { FaqPage } from './faq-page.tsx'

it('FAQ: a heading is rendered wherever the section changes, and the questions keep their order', async () => {
  const questions: ContentDocument<'faq'> = (['General', 'General', 'Network', 'General'] as const).map((section, index) => ({
    ...{ id: `question-${index}`, section, question: `Question ${index}?` },
    answer: ['An answer.'],
  }))
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  const services = createTestServices({
    api: { call: async () => questions } as never,
    connection: { subscribe: () => () => {}, offline: false, serverUnreachable: false },
    database: createMemoryDatabase(),
    initialData: {},
  })
  root.render(
    <ServicesProvider services={services}>
      <FaqPage openId="" />
    </ServicesProvider>,
  )
  await expect.element(page.getByRole('heading', { name: 'Question 3?' })).toBeVisible()
  expect([...hostElement.querySelectorAll('h2, h3')].map((heading) => heading.textContent)).toEqual([
    ...['General', 'Question 0?', 'Question 1?'],
    ...['Network', 'Question 2?'],
    ...['General', 'Question 3?'],
  ])
  root.unmount()
  hostElement.remove()
})
