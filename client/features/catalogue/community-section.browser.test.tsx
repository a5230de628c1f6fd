import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Site } from '../../../contract/site.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import '../../ui/global.css'
import { CommunitySection } from './community-section.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined

function renderCommunity(children: ReactNode, settings: Partial<Site['settings']>) {
  const connection = { offline: false, serverUnreachable: false, subscribe: () => () => {} }
  const site = { settings: { COMMUNITY_TEXT: '', SOCIAL_DISCORD: '', DISCORD_WIDGET_ID: '', ...settings }, texts: {} }
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(<ServicesProvider services={createTestServices({ connection, site })}>{children}</ServicesProvider>)
}

afterEach(() => {
  vi.restoreAllMocks()
  root?.unmount()
  hostElement?.remove()
  window.scrollTo(0, 0)
})

describe('the Discord section', () => {
  it('while Discord does not respond, the section shows a message with Retry, and announces no alert', async () => {
    const fetchWidget = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    renderCommunity(<CommunitySection />, { DISCORD_WIDGET_ID: '123', SOCIAL_DISCORD: 'https://discord.example.com/x' })
    await expect.element(page.getByText("Discord isn't responding right now.")).toBeVisible()
    expect(document.querySelector('iframe')).toBeNull()
    await expect.element(page.getByRole('link', { name: 'Join Discord' })).toBeVisible()
    fetchWidget.mockResolvedValue(new Response())
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => document.querySelector('iframe[title="Discord community"]')).not.toBeNull()
    await expect.element(page.getByText("Discord isn't responding right now.")).not.toBeInTheDocument()
  })

  it('the iframe of the Discord widget is created only when it is scrolled into view', async () => {
    const fetchWidget = vi.spyOn(window, 'fetch').mockResolvedValue(new Response())
    renderCommunity(
      <>
        <div style={{ height: 4000 }} />
        <CommunitySection />
      </>,
      { DISCORD_WIDGET_ID: '12 3' },
    )
    await expect.element(page.getByText('Discord community')).toBeInTheDocument()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(document.querySelector('iframe[title="Discord community"]')).toBeNull()
    expect(fetchWidget).not.toHaveBeenCalled()
    window.scrollTo(0, document.documentElement.scrollHeight)
    await expect
      .poll(() => document.querySelector('iframe[title="Discord community"]')?.getAttribute('src'))
      .toBe('https://discord.com/widget?id=12%203&theme=dark')
  })

  it('if no widget is configured, the Discord section is a link', async () => {
    renderCommunity(<CommunitySection />, { SOCIAL_DISCORD: 'https://discord.example.com/x' })
    await expect.element(page.getByRole('link', { name: 'Join Discord' })).toHaveAttribute('href', 'https://discord.example.com/x')
    expect(document.querySelector('iframe')).toBeNull()
  })
})
