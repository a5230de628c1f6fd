import { createFileRoute, useLocation } from '@tanstack/react-router'
import { FaqPage } from '../features/documents/faq-page.tsx'
import { documentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/faq')({ ...documentRoute('faq'), component: Faq })

function Faq() {
  const openId = useLocation({ select: ({ hash }) => hash })
  return <FaqPage openId={openId} />
}
