// Finds secrets in well-known files and URLs whose format gives their position: kubeconfig, Docker's settings, /etc/shadow,
// .pgpass, AWS's CSV download, Terraform's variables, one-time password URLs.
import { isBasicPair } from './checks.ts';
import { defineRule, isLively } from './rule.ts';
import { isPassword, isPlaceholder, isRandom, isReference } from './words.ts';

function isSetting(secret: string): boolean {
  return !isReference(secret) && !isPlaceholder(secret) && (isPassword(secret) || isRandom(secret, 10));
}

export const listFileRules = () => [
  defineRule({
    id: 'private-key',
    description: 'A private key file in base64, as in kubeconfig',
    keywords: ['LS0tLS1CRUdJTi'],
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,192}={0,2}/dy,
    stop: /[^=A-Za-z0-9+/]/g,
    check: (secret) => /PRIVATE KEY/.test(Buffer.from(secret.slice(0, 80), 'base64').toString('latin1')),
  }),
  defineRule({
    id: 'authorization',
    description: 'The login of a registry in Docker’s settings',
    keywords: ['auth"'],
    inside: true,
    pattern: /auth"[ ]{0,4}:[ ]{0,4}"([A-Za-z0-9+/]{8,192}={0,2})"/dy,
    check: isBasicPair,
  }),
  defineRule({
    id: 'password-hash',
    description: 'A password hash in a line of /etc/shadow',
    keywords: [':$1$', ':$2a$', ':$2b$', ':$2y$', ':$5$', ':$6$', ':$y$', ':$gy$', ':$7$'],
    inside: true,
    pattern: /:(\$[0-9a-z]{1,3}\$[^\s:]{12,192}):\d{0,6}:/dy,
    check: isLively,
  }),
  defineRule({
    id: 'pgpass-password',
    description: 'Password of a line in .pgpass',
    keywords: [':5432:', ':5433:', ':6432:', ':*:'],
    inside: true,
    pattern: /:(?:\d{4}|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:]{4,128})(?!\S)/dy,
    check: isSetting,
  }),
  defineRule({
    id: 'aws-secret-key',
    description: 'AWS secret access key behind its access key id',
    keywords: ['AKIA', 'ASIA'],
    inside: true,
    pattern:
      /A(?:KI|SI)A[A-Z2-7]{16}["'`]?[\s,:;|/=]{1,3}["'`]?(?:(?:aws_)?secret(?:[_ ]access)?(?:[_ ]key)?["'`\s,:;|=]{1,4})?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dy,
    check: (secret) => !/EXAMPLE/.test(secret) && isLively(secret) && /\d/.test(secret) && /[A-Z]/.test(secret),
  }),
  defineRule({
    id: 'totp-secret',
    description: 'The secret in the URL of a one-time password',
    keywords: ['otpauth://'],
    pattern: /otpauth:\/\/[^\s"'<>]{0,200}?[?&]secret=([A-Za-z2-7]{16,128}={0,6})(?![\w])/dy,
    check: isLively,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'The default of a Terraform variable named like a secret',
    keywords: ['variable "'],
    pattern:
      /variable "[\w-]{0,60}(?:password|passwd|pwd|secret|token|api_?key|private_?key|credential)s?"[ ]?\{[^{}]{0,300}?default[ \t]{0,12}=[ \t]{0,4}"([^"\s$]{6,192})"/diy,
    check: isSetting,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A password that PowerShell converts to a secure string',
    keywords: ['convertto-securestring'],
    anyCase: true,
    pattern: /convertto-securestring(?:[ ]-string)?[ ]{1,4}["']([^"'\n$]{4,128})["']/diy,
    check: (secret) => !isReference(secret) && !isPlaceholder(secret),
  }),
  defineRule({
    id: 'azure-devops-token',
    description: 'Azure DevOps token near its name',
    keywords: ['devops', 'azdo', 'vsts'],
    anyCase: true,
    inside: true,
    pattern:
      /(?:devops|azdo|vsts)[\w-]{0,24}["']?[ ]{0,3}[:=][ ]{0,3}["']?([a-z2-7]{52}|[A-Za-z0-9]{84})(?![A-Za-z0-9])/diy,
    check: (secret) => isLively(secret) && /\d/.test(secret),
  }),
  defineRule({
    id: 'url-key',
    description: 'A key in the query of an address',
    keywords: ['?key=', '&key='],
    inside: true,
    pattern: /[?&]key=([\w-]{16,192})/dy,
    check: (secret) => !isPlaceholder(secret) && isRandom(secret, 20),
  }),
];
