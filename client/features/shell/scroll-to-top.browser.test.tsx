import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { nightcoreMeridian } from '../../../brands/nightcore-meridian/brand.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import '../../ui/global.css'
import { Footer } from './footer.tsx'
import { ScrollToTop } from './scroll-to-top.tsx'

const measureTextBox = (element: Element) => {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}

it.each([320, 390, 600, 820])(
  'the button that scrolls to the top never covers the text of a footer link at a width of %i px',
  async (width) => {
    const windowSize = [window.innerWidth, window.innerHeight] as const
    await page.viewport(width, 640)
    const container = document.body.appendChild(document.createElement('div'))
    const root = createRoot(container)
    const { settings, texts, hero } = nightcoreMeridian
    const services = createTestServices({ site: { settings, texts, hero }, install: { method: 'none', subscribe: () => () => {} } })
    flushSync(() =>
      root.render(
        <ServicesProvider services={services}>
          <div style={{ height: 1000 }} />
          <Footer />
          <ScrollToTop />
        </ServicesProvider>,
      ),
    )
    scrollTo(0, 500)
    const button = page.getByRole('button', { name: 'Scroll to top' })
    await expect.element(button).toBeVisible()
    const buttonBox = button.element().getBoundingClientRect()
    const footerItems = [...container.querySelectorAll('footer li > *')]
    expect(footerItems.length).toBeGreaterThan(6)
    // While the page is scrolled, every footer link passes the fixed position of the button.
    await vi.waitFor(() =>
      expect(footerItems.filter((link) => measureTextBox(link).right > buttonBox.left).map((link) => link.textContent)).toEqual([]),
    )
    flushSync(() => root.unmount())
    container.remove()
    scrollTo(0, 0)
    await page.viewport(...windowSize)
  },
)
