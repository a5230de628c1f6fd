import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Member } from '../../../contract/community.ts'
import '../../ui/global.css'
import { MemberCarousel } from './member-carousel.tsx'

it('members: the carousel loads more members whenever its end comes into view, until it contains all', async () => {
  const members = Array.from(
    { length: 100 },
    (_, index): Member => ({
      ...{ channel_id: `UC${index}`, channel_name: `Channel ${index}`, channel_pic: '', sub_tag: '', testimonial: '' },
      ...{ subs: 100, views: 0 },
    }),
  )
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  root.render(<MemberCarousel members={members} isPaused onOpen={() => {}} />)
  const slideItems = page.getByRole('listitem')
  const scrollToEnd = () => page.getByRole('list', { name: 'Members' }).element().scrollTo({ left: 1e6, behavior: 'instant' })
  for (const count of [48, 96, 100]) {
    await expect.poll(() => slideItems.elements().length).toBe(count)
    scrollToEnd()
  }
  await expect.element(page.getByText('Channel 99')).toBeVisible()
  root.unmount()
  hostElement.remove()
})
