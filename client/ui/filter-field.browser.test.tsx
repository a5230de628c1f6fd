import { createRef } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { FilterField } from './filter-field.tsx'
import './global.css'

it.each([300, 358, 800])('filter field: at a width of %i px, label, field and control do not overlap', (width) => {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() =>
    root.render(
      <div style={{ width }}>
        <FilterField label="Find a song" placeholder="Title or artist" status={false} onText={() => {}} ref={createRef()}>
          <select aria-label="Sort" style={{ minHeight: '44px' }}>
            <option>Playlist order</option>
          </select>
        </FilterField>
      </div>,
    ),
  )
  const elementBoxes = [...container.querySelectorAll('label, input, select')].map((element) => element.getBoundingClientRect())
  expect(elementBoxes).toHaveLength(3)
  const overlappingPairs = elementBoxes.flatMap((a, index) =>
    elementBoxes.slice(index + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  )
  expect(overlappingPairs).toEqual([])
  flushSync(() => root.unmount())
  container.remove()
})
