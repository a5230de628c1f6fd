import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import './global.css'
import { SectionHeading } from './section-heading.tsx'

const selectElement = (
  <select aria-label="Sort" style={{ minHeight: '44px' }}>
    <option>Popular</option>
  </select>
)

it.each([800, 200])(
  "at a width of %i px, a control beside the title of a page does not change the title's distance from the top",
  (width) => {
    const container = document.body.appendChild(document.createElement('div'))
    const root = createRoot(container)
    flushSync(() =>
      root.render(
        <div style={{ width }}>
          <div style={{ display: 'flow-root' }}>
            <SectionHeading level={1}>Storage</SectionHeading>
          </div>
          <div style={{ display: 'flow-root' }}>
            <SectionHeading level={1} endContent={selectElement}>
              Playlists
            </SectionHeading>
          </div>
        </div>,
      ),
    )
    const headingOffsets = [...container.querySelectorAll('h1')].map(
      (heading) => heading.getBoundingClientRect().top - (heading.parentElement?.parentElement?.getBoundingClientRect().top ?? 0),
    )
    expect(headingOffsets[1]).toBe(headingOffsets[0])
    const headingBox = container.querySelectorAll('h1')[1]?.getBoundingClientRect()
    const selectBox = container.querySelector('select')?.getBoundingClientRect()
    // A control that wraps to the next line is below the title and does not overlap it.
    expect(Number(selectBox?.left) >= Number(headingBox?.right) || Number(selectBox?.top) >= Number(headingBox?.bottom)).toBe(true)
    flushSync(() => root.unmount())
    container.remove()
  },
)
