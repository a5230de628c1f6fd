import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { LinkedText } from './linked-text.tsx'

it('linked text: an address becomes a link once the code of links has loaded, and the text is complete before and after', async () => {
  const text = 'Original: HTTPS://example.com/a. <b>Not bold</b>'
  const container = document.body.appendChild(document.createElement('p'))
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  root.render(<LinkedText text={text} />)
  await expect.element(page.getByText('Original')).toHaveTextContent(text)
  await expect
    .element(page.getByRole('link', { name: 'HTTPS://example.com/a', exact: true }))
    .toHaveAttribute('rel', 'noopener nofollow ugc')
  await expect.element(page.getByText('Original')).toHaveTextContent(text)
})
