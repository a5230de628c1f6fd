import { afterEach, expect, it } from 'vitest'
import { contentDocumentNames } from '../../contract/content.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
afterEach(() => site.close())

const readContent = async (path: string, host = 'localhost:8080') =>
  (await site.app.inject({ url: `/api/content/${path}`, headers: { host } })).json()

it('every document is returned for each brand, with an ETag', async () => {
  site = await createTestApp()
  for (const documentName of contentDocumentNames) {
    const response = await site.app.inject({ url: `/api/content/${documentName}` })
    expect(response.json().code).toBe(200)
    const { etag = '' } = response.headers
    expect((await site.app.inject({ url: `/api/content/${documentName}`, headers: { 'if-none-match': String(etag) } })).statusCode).toBe(
      304,
    )
    const other = await readContent(documentName, 'slowedreverb.localhost:8080')
    expect(other.data).not.toEqual(response.json().data)
  }
  expect((await readContent('nothing')).code).toBe(404)
})

it('each question has its own anchor, and answers are rich text', async () => {
  site = await createTestApp()
  const createQuestion = (questionText: string) => ({
    section: 'General',
    question: questionText,
    answer: '<p>a <script>x()</script><a href="/faq">b</a></p>',
  })
  await site.storage.settings.set(
    'FAQ',
    JSON.stringify([createQuestion('What is “it”?'), createQuestion('What is it'), createQuestion('何？'), createQuestion('What is it 2')]),
    undefined,
  )
  const { data } = await readContent('faq')
  expect(data.map(({ id }: { id: string }) => id)).toEqual(['what-is-it', 'what-is-it-2', 'question', 'what-is-it-2-2'])
  expect(data[0].answer).toEqual([{ tag: 'p', children: ['a ', { tag: 'a', href: '/faq', children: ['b'] }] }])
})

it('many equal questions have different anchors', async () => {
  site = await createTestApp()
  const storedQuestions = Array.from({ length: 1000 }, (_, index) => ({
    section: 'General',
    question: index === 7 ? 'Question 9' : '何？',
    answer: '',
  }))
  await site.storage.settings.set('FAQ', JSON.stringify(storedQuestions), undefined)
  const questionIds: string[] = (await readContent('faq')).data.map(({ id }: { id: string }) => id)
  expect(new Set(questionIds).size).toBe(storedQuestions.length)
  expect([...questionIds.slice(5, 10), questionIds.at(-1)]).toEqual([
    'question-6',
    'question-7',
    'question-9',
    'question-8',
    'question-10',
    'question-1000',
  ])
})

it('the checkout of a plan is the address in the setting; artwork is part of a plan only while the setting DESIGNER is on', async () => {
  site = await createTestApp()
  const readPlans = async () => (await readContent('plans')).data
  expect((await readPlans()).map(({ checkout }: { checkout: string }) => checkout)).toEqual(['', '', ''])
  expect(JSON.stringify(await readPlans())).toContain('artwork')
  await site.storage.settings.set('CHECKOUT_PREMIUM_PLUS', 'https://pay.example.com/plus', 'nightcore-meridian')
  await site.storage.settings.set('DESIGNER', 'false', undefined)
  expect((await readPlans())[1].checkout).toBe('https://pay.example.com/plus')
  expect(JSON.stringify(await readPlans())).not.toContain('artwork')
})

it('an invalid setting is ignored', async () => {
  site = await createTestApp()
  const before = await readContent('timeline')
  await site.storage.settings.set('TIMELINE', '[{"title":"x"}]', undefined)
  expect(await readContent('timeline')).toEqual(before)
})

it('when the page about the genre is moved, links lead to its new path', async () => {
  site = await createTestApp()
  await site.storage.settings.set('WHAT_IS_PATH', '/the-genre', 'nightcore-meridian')
  expect(JSON.stringify(await readContent('faq'))).toContain('"href":"/the-genre"')
  const { data } = (await site.app.inject({ url: '/api/site' })).json()
  expect(data.settings.HERO_LINK).toBe('/the-genre')
  expect(data.settings.FOOTER_LINKS.map(({ url }: { url: string }) => url)).toContain('/the-genre')
  expect((await site.app.inject({ url: '/the-genre' })).body).toContain('<h1')
  const moved = JSON.stringify([data, await readContent('faq')])
  expect(moved).not.toContain('/what-is-nightcore')
})

it('the head of /faq contains the questions as structured data; the head of the page about the genre contains the first words of that page', async () => {
  site = await createTestApp()
  const faqResponse = await site.app.inject({ url: '/faq' })
  expect(faqResponse.body).toContain('"@type":"FAQPage"')
  expect(faqResponse.body).toContain('"name":"What is nightcore?"')
  const whatIs = await site.app.inject({ url: '/what-is-nightcore' })
  expect(whatIs.body).toMatch(/<meta name="description" content="Nightcore is a song played faster/)
})
