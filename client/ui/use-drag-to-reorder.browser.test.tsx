import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mouseInput, touchInput } from '../testing/pointer-input.ts'
import './global.css'
import { useDragToReorder } from './use-drag-to-reorder.ts'

const ROW_PX = 50
const ROW_COUNT = 60

let changeRows: (change: (rows: readonly string[]) => string[]) => void = () => {}

/** A list that is higher than the viewport. `boxPx` is the height of a scroll container around it, if there is one. */
function Rows({ boxPx }: { boxPx?: number }) {
  const [rows, setRows] = useState(() => Array.from({ length: ROW_COUNT }, (_, n) => `Row ${n}`))
  changeRows = setRows
  const { list, computeOffsetPx, createGripProps } = useDragToReorder(rows, (from, to) =>
    setRows(rows.toSpliced(from, 1).toSpliced(to, 0, ...rows.slice(from, from + 1))),
  )
  return (
    <div data-box="" style={boxPx === undefined ? undefined : { height: boxPx, overflow: 'auto' }}>
      <ol ref={list} style={{ marginBottom: 300 }}>
        {rows.map((row, index) => (
          <li key={row} data-drag-index={index} style={{ height: ROW_PX, position: 'relative', top: computeOffsetPx(index) }}>
            <button type="button" style={{ touchAction: 'none', height: ROW_PX, width: 200 }} {...createGripProps(index)}>
              {row}
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

let root: Root | undefined
let host: HTMLElement | undefined
async function renderRows(props: { boxPx?: number } = {}) {
  await page.viewport(600, 500)
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  root.render(<Rows {...props} />)
  await expect.element(page.getByRole('button', { name: 'Row 0', exact: true })).toBeVisible()
}
afterEach(async () => {
  root?.unmount()
  host?.remove()
  scrollTo({ top: 0, behavior: 'instant' })
  await page.viewport(1280, 800)
})

const locateRow = (name: string) => page.getByRole('button', { name, exact: true }).element()
const readCenter = (name: string) => {
  const { left, top, height } = locateRow(name).getBoundingClientRect()
  return { x: left + 100, y: top + height / 2 }
}
const readOrder = () => [...document.querySelectorAll('[data-drag-index]')].map((row) => row.textContent)
const scrollToRow = (index: number) => scrollTo({ top: index * ROW_PX - 250, behavior: 'instant' })
const createOrder = (from: number, to: number) => {
  const rows = Array.from({ length: ROW_COUNT }, (_, n) => `Row ${n}`)
  return rows.toSpliced(from, 1).toSpliced(to, 0, `Row ${from}`)
}

it('a row that is dragged by touch to the upper edge of the page scrolls the page, and becomes the first', async () => {
  await renderRows()
  scrollToRow(40)
  const start = readCenter('Row 40')
  await touchInput.press(start)
  await touchInput.move({ x: start.x, y: start.y - 30 })
  await touchInput.move({ x: start.x, y: 10 })
  await expect.poll(() => readCenter('Row 40').y + scrollY).toBeLessThan(ROW_PX)
  await touchInput.release()
  await expect.poll(readOrder).toEqual(createOrder(40, 0))
  const endScrollY = scrollY
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(scrollY).toBe(endScrollY)
})

it('a row that is dragged to the lower edge of a scroll container scrolls that container, and stops at the end of the list', async () => {
  await renderRows({ boxPx: 400 })
  const start = readCenter('Row 2')
  await mouseInput.press(start)
  await mouseInput.move({ x: start.x, y: start.y + 30 })
  await mouseInput.move({ x: start.x, y: 395 })
  const box = document.querySelector('[data-box]')
  await expect.poll(() => readCenter('Row 2').y + (box?.scrollTop ?? 0)).toBeGreaterThan((ROW_COUNT - 1) * ROW_PX)
  await mouseInput.release({ x: start.x, y: 395 })
  await expect.poll(readOrder).toEqual(createOrder(2, ROW_COUNT - 1))
  expect(scrollY).toBe(0)
  // The container could be scrolled further, by the margin below the list.
  expect(box?.scrollTop).toBeLessThan(ROW_COUNT * ROW_PX - 300)
})

it('a row that is held while the wheel scrolls the page stays at the pointer, and lands below it', async () => {
  await renderRows()
  const start = readCenter('Row 3')
  await mouseInput.press(start)
  await mouseInput.move({ x: start.x, y: start.y + 10 })
  await mouseInput.turnWheel(start, 10 * ROW_PX)
  await expect.poll(() => scrollY).toBe(10 * ROW_PX)
  await expect.poll(() => Math.round(readCenter('Row 3').y - start.y)).toBe(10)
  await mouseInput.release({ x: start.x, y: start.y + 10 })
  await expect.poll(readOrder).toEqual(createOrder(3, 13))
})

it('a press on a row near an edge, which moves nothing, scrolls nothing', async () => {
  await renderRows()
  const start = readCenter('Row 9')
  await mouseInput.press(start)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await mouseInput.release(start)
  expect(scrollY).toBe(0)
  expect(readOrder()).toEqual(createOrder(0, 0))
})

it.each([
  ['rows above it are removed', (rows: readonly string[]) => rows.slice(2)],
  ['it is removed', (rows: readonly string[]) => rows.toSpliced(4, 1)],
])('a row that is held while %s: the drag ends, and no other row moves', async (_, change) => {
  await renderRows()
  const start = readCenter('Row 4')
  await mouseInput.press(start)
  await mouseInput.move({ x: start.x, y: start.y + 2 * ROW_PX })
  await expect.poll(() => Math.round(readCenter('Row 4').y - start.y)).toBe(2 * ROW_PX)
  const orderAfterwards = change(readOrder().map(String))
  changeRows(change)
  await expect.poll(readOrder).toEqual(orderAfterwards)
  await mouseInput.move({ x: start.x, y: start.y + 3 * ROW_PX })
  await mouseInput.release({ x: start.x, y: start.y + 3 * ROW_PX })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readOrder()).toEqual(orderAfterwards)
  await expect.poll(() => readCenter('Row 6').y - readCenter('Row 5').y).toBe(ROW_PX)
})
