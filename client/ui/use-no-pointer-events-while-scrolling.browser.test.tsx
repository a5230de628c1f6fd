import { useRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import './global.css'
import { useNoPointerEventsWhileScrolling } from './use-no-pointer-events-while-scrolling.ts'

function Lists() {
  const list = useRef<HTMLUListElement>(null)
  useNoPointerEventsWhileScrolling(list)
  return (
    <>
      <div data-testid="around" style={{ height: 100, overflow: 'auto' }}>
        <ul ref={list} aria-label="Names" style={{ height: 500 }}>
          <li popover="auto">Menu</li>
        </ul>
      </div>
      <div data-testid="beside" style={{ height: 100, overflow: 'auto' }}>
        <div style={{ height: 500 }} />
      </div>
    </>
  )
}

let root: Root
afterEach(() => root.unmount())

async function renderLists() {
  const container = document.body.appendChild(document.createElement('div'))
  root = createRoot(container)
  root.render(<Lists />)
  await expect.element(page.getByRole('list', { name: 'Names' })).toBeInTheDocument()
  return page.getByRole('list', { name: 'Names' }).element()
}

const nextScroll = () => new Promise((resolve) => document.addEventListener('scroll', resolve, { capture: true, once: true }))

it('while a scroll moves the list, the list takes no pointer events; after it, it takes them again', async () => {
  const list = await renderLists()
  page.getByTestId('around').element().scrollTop = 50
  await nextScroll()
  expect(getComputedStyle(list).pointerEvents).toBe('none')
  await expect.poll(() => getComputedStyle(list).pointerEvents).toBe('auto')
})

it('when something beside the list scrolls, the list keeps its pointer events', async () => {
  const list = await renderLists()
  page.getByTestId('beside').element().scrollTop = 50
  await nextScroll()
  expect(getComputedStyle(list).pointerEvents).toBe('auto')
})

it('a moved mouse ends the time without pointer events, and an open menu of the list always takes them', async () => {
  const list = await renderLists()
  list.querySelector<HTMLElement>('[popover]')?.showPopover()
  page.getByTestId('around').element().scrollTop = 50
  await nextScroll()
  expect(getComputedStyle(list).pointerEvents).toBe('none')
  expect(getComputedStyle(page.getByText('Menu').element()).pointerEvents).toBe('auto')
  document.dispatchEvent(new PointerEvent('pointermove', { movementY: 2 }))
  expect(getComputedStyle(list).pointerEvents).toBe('auto')
})
