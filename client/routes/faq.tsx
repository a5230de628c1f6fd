import { createFileRoute, useLocation } from '@tanstack/react-router'
import { FaqPage } from '../features/documents/faq-page.tsx'
import { createDocumentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/faq')({ ...createDocumentRoute('faq'), component: Faq })

function Faq() {
  const openId = useLocation({ select: ({ hash }) => hash })
  return <FaqPage openId={openId} />
}
