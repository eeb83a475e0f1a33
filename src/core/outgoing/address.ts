// Which network an address belongs to. Requests that a document or a model causes must not reach the services of this
// machine's own network, least of all the metadata service of a cloud.
import { BlockList, isIP, isIPv6 } from 'node:net';

type Network = 'public' | 'private' | 'refused';

function listOf(...ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Link-local, metadata services, multicast, and addresses that stand for others. */
const refused = listOf(
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.0/24',
  '224.0.0.0/3',
  'fe80::/10',
  'fd00:ec2::254/128',
  'ff00::/8',
  '64:ff9b::/96',
  '2002::/16',
);
const ownNetworks = listOf(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::/127',
  'fc00::/7',
);

/** `address` is an IP address, without brackets. */
export function networkOf(address: string): Network {
  const [plain = ''] = address.split('%');
  // An IPv4 address written as IPv6 is checked by the rules for IPv4.
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(plain) === 0 || refused.check(plain, family)) return 'refused';
  return ownNetworks.check(plain, family) ? 'private' : 'public';
}
